"""
Finding mislabelled samples
===========================

``violators_`` holds the training samples that a fit gave up: those that the classifier could not
have on the right side of their margin at the price C. Some are hard cases, others carry a wrong
label. How good a list of suspects is it?

The data: breast cancer (569 samples, 30 features), where the labels are taken as right, and 57 of
them (10 %) are flipped at known places. Nothing that follows sees the true labels but the last
count.
"""

# %%
# C and gamma are chosen by cross-validation on the labels as they are, wrong ones included.

import numpy as np
from hinge0 import L0SVC, plot
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

data = load_breast_cancer()
X = StandardScaler().fit_transform(data.data)
truth = data.target
GRID = {"C": [0.5, 2, 4, 8], "gamma": [0.003, 0.01, 0.03]}
GRID_SVC = {"C": [0.5, 2, 8, 32], "gamma": [0.003, 0.01, 0.03]}


def flipped(seed):
    """The labels with 57 of them wrong, and which."""
    wrong = np.random.default_rng(seed).choice(len(truth), 57, replace=False)
    y = truth.copy()
    y[wrong] = 1 - y[wrong]
    return y, wrong


def tuned(model, grid, y):
    return GridSearchCV(model, grid, cv=5).fit(X, y).best_estimator_


y, wrong = flipped(0)
model = tuned(L0SVC(), GRID, y)
print(model)
print(f"{len(model.violators_)} samples given up, {len(model.support_)} support vectors")

# %%
# The suspects, worst first: the deficit says how far a sample is from its margin.

signs = np.where(y == model.classes_[1], 1, -1)
deficit = 1 - signs * model.decision_function(X)
suspects = model.violators_[np.argsort(-deficit[model.violators_])]
for i in suspects[:10]:
    verdict = "flipped" if i in wrong else "not flipped"
    label = data.target_names[y[i]]
    print(f"sample {i:3}: labelled {label:9}  deficit {deficit[i]:5.2f}  {verdict}")

# %%
# A section through two of the 30 features; the others stand at their medians.

ax = plot.decision_boundary(model, X, y, features=(20, 27))
ax.set_xlabel(data.feature_names[20])
ax.set_ylabel(data.feature_names[27])

# %%
# One draw proves little: five of them, and for comparison what a tuned hinge SVM offers as a list
# of suspects, either all samples inside their margin or only those it gets wrong. Precision is
# the share of the list that was flipped, recall the share of the flipped that is on the list.


def scores(suspects, wrong):
    hits = len(np.intersect1d(suspects, wrong))
    return hits / len(suspects), hits / len(wrong)


rows = {"L0SVC.violators_": [], "SVC, inside the margin": [], "SVC, misclassified": []}
support = []
for seed in range(5):
    y, wrong = flipped(seed)
    model, svc = tuned(L0SVC(), GRID, y), tuned(SVC(), GRID_SVC, y)
    margin = np.where(y == 1, 1, -1) * svc.decision_function(X)
    rows["L0SVC.violators_"].append(scores(model.violators_, wrong))
    rows["SVC, inside the margin"].append(scores(np.flatnonzero(margin < 1 - 1e-3), wrong))
    rows["SVC, misclassified"].append(scores(np.flatnonzero(margin < 0), wrong))
    support.append((len(model.support_), len(svc.support_)))

print(f"{'median of five draws':24} precision  recall")
for name, found in rows.items():
    precision, recall = np.median(found, axis=0)
    print(f"{name:24} {precision:9.2f} {recall:7.2f}")
print("support vectors: L0SVC {:.0f}, SVC {:.0f}".format(*np.median(support, axis=0)))

# %%
# So the list of violators can be read as it is: most of it is wrong labels, and most wrong labels
# are on it. The hinge SVM's margin holds nearly all of them too, among three times as many
# others; what it gets outright wrong is about as good a list as the violators, from a classifier
# with several times the support vectors. Neither list is proof: whoever relabels should look at
# the samples.
