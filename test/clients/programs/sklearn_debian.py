"""The parts of scikit-learn that use OpenMP."""

import hashlib

import numpy
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import pairwise_distances_argmin_min


def show(name, *arrays):
    print(name, *(hashlib.sha256(numpy.ascontiguousarray(a).tobytes()).hexdigest()[:16] for a in arrays))


x, y = make_blobs(n_samples=8000, centers=12, n_features=10, cluster_std=4, random_state=1)
show("k-means", KMeans(12, n_init=1, max_iter=20, random_state=2).fit(x).labels_)
show("boosting", HistGradientBoostingClassifier(max_iter=3, random_state=3).fit(x, y).predict(x))
show("nearest", *pairwise_distances_argmin_min(x[:4000], x))
