"""
Wrong labels cost a price, not support vectors
==============================================

Double moons with 10 % of the labels flipped, once with the l0 loss and once with the hinge loss of
a usual SVM, at the same C and kernel. A sample that the l0 loss gives up costs C, however far off
it is, and has no more say; under the hinge loss it becomes a support vector and keeps pulling.
Here both classifiers are equally right; the one rests on far fewer samples.
"""

# %%
# The data: 300 points, of which 30 carry the wrong label.

import numpy as np
from hinge0 import L0SVC, plot
from matplotlib import pyplot as plt
from sklearn.datasets import make_moons

X, truth = make_moons(300, noise=0.15, random_state=0)
wrong = np.random.default_rng(0).choice(len(truth), 30, replace=False)
y = truth.copy()
y[wrong] = 1 - y[wrong]

# %%
# Solid line: the boundary. Dashed: the margins. Rings: support vectors. Crosses: samples given
# up, or inside their margin under the hinge loss.

models = [L0SVC(C=2.0, gamma=2.0, loss=loss).fit(X, y) for loss in ("l0", "hinge")]
figure, axes = plt.subplots(1, 2, figsize=(12, 5), layout="constrained")
for ax, model in zip(axes, models, strict=True):
    plot.decision_boundary(model, X, y, ax=ax)
    right = np.mean(model.predict(X) == truth)
    ax.set_title(f"loss {model.loss}: {right:.1%} of the true labels", pad=24)

# %%
# How many of the flipped labels are among the samples that the l0 loss gave up?

found = np.isin(wrong, models[0].violators_)
given_up = len(models[0].violators_)
print(f"{found.sum()} of {len(wrong)} flipped labels are among the {given_up} samples given up")
