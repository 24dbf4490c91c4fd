"""Sphinx: the pages of docs/, the API reference, and the gallery of examples/python."""

import os

import hinge0

project = "hinge0"
author = "the hinge0 authors"
project_copyright = author
release = version = hinge0.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["README.md"]  # the contents page for readers of the repository
myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 3
numpydoc_class_members_toctree = False
numpydoc_show_class_members = False
autodoc_typehints = "none"  # numpydoc tells the types
sphinx_gallery_conf = {
    "examples_dirs": os.environ["HINGE0_EXAMPLES"],
    "gallery_dirs": "gallery",
    "within_subsection_order": "FileNameSortKey",
    "show_memory": False,
    "capture_repr": (),
    "abort_on_example_error": True,
}
html_theme = "pydata_sphinx_theme"
html_title = "hinge0"
html_sidebars: dict[str, list[str]] = {"**": ["sidebar-nav-bs"]}
