"""
How a fit ends
==============

The objective is not convex. The default solver goes from local minimum to local minimum;
Algorithm 1 of the paper iterates until four residuals are small, which on noisy data it may never
reach.
"""

# %%
# Every dot is a local minimum that the search saw; each descent begins at another start or kick.

import warnings

from hinge0 import L0SVC, plot
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler

X, y = load_breast_cancer(return_X_y=True)
X = StandardScaler().fit_transform(X)
model = L0SVC(C=2.0, n_starts=8).fit(X, y)
plot.search_trace(model)

# %%
# The fit comes with a certificate, and ``verify`` recomputes it by separate code.

checked = model.verify(X, y)
print("local minimum:", checked["local_minimum"])
print("no move of one sample lowers the objective:", model.report_["one_opt"])

# %%
# Algorithm 1 on the same data. It warns that it did not converge and keeps its best iterate.

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    iterated = L0SVC(C=2.0, solver="admm", max_iter=300).fit(X, y)
print(caught[0].message)
plot.residuals(iterated)

# %%
# With a convex loss it converges.

plot.residuals(L0SVC(C=2.0, loss="hinge", tol=1e-5).fit(X, y))
