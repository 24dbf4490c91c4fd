"""One fit and one prediction on arrays, in a process of its own; prints a JSON object.

large_fit.py hinge0|scikit-learn-intelex DATA.npz C GAMMA
large_fit.py tune DATA.npz
"""

import json
import resource
import sys
import time

import numpy as np
import scipy.sparse as sp


def load(file: str) -> tuple:
    with np.load(file) as held:
        parts = {name: held[name] for name in held.files}
    if "data" not in parts:
        return parts["X"], parts["y"], parts["X_test"], parts["y_test"]
    rows = sp.csr_matrix((parts["data"], parts["indices"], parts["indptr"]), parts["shape"])
    count = len(parts["y"])
    return rows[:count], parts["y"], rows[count:], parts["y_test"]


def tune(file: str) -> None:
    """Gamma and C of either side, by cross-validation on 5,000 training rows."""
    from hinge0 import L0SVC
    from sklearn.model_selection import GridSearchCV, train_test_split
    from sklearnex.svm import SVC

    X, y, _, _ = load(file)
    X, _, y, _ = train_test_split(X, y, train_size=5000, random_state=0, stratify=y)
    X = X.toarray() if sp.issparse(X) else X
    grid = {
        "gamma": [2.0**k / X.shape[1] for k in range(-1, 8)],
        "C": [2.0**k for k in range(-1, 11, 2)],
    }
    for name, estimator in (("hinge0", L0SVC()), ("SVC", SVC())):
        found = GridSearchCV(estimator, grid, cv=5).fit(X, y)
        print(name, found.best_params_, f"{found.best_score_:.4f}", end="; ")


def main() -> None:
    if sys.argv[1] == "tune":
        tune(sys.argv[2])
        return
    who, file, C, gamma = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
    X, y, X_test, y_test = load(file)
    if who == "hinge0":
        from hinge0 import L0SVC

        model = L0SVC(C=C, gamma=gamma)
    else:
        from sklearnex import patch_sklearn

        patch_sklearn(verbose=False)
        from sklearn.svm import SVC

        model = SVC(C=C, gamma=gamma)
        if sp.issparse(X):  # it is quicker with dense rows
            X, X_test = X.toarray(), X_test.toarray()
        SVC(C=1).fit(X[:64], np.arange(64) % 2).predict(X[:2])  # its libraries are loaded then
    begin = time.perf_counter()
    model.fit(X, y)
    middle = time.perf_counter()
    predicted = model.predict(X_test)
    end = time.perf_counter()
    said = {
        "fit_seconds": middle - begin,
        "predict_seconds": end - middle,
        "accuracy": float(np.mean(predicted == y_test)),
        "support_vectors": len(model.support_),
        "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }
    if who == "hinge0":
        said["objective"] = model.report_["objective"]
        said["local_minimum"] = model.report_["certificate"]["local_minimum"]
    print(json.dumps(said))


if __name__ == "__main__":
    main()
