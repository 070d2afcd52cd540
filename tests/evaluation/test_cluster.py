"""Runs scanned on a Ray cluster, and why not."""

import os
import socket
import ssl
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from shutil import copyfile, copytree, which

import pytest

from tests.as_typed import refused
from tests.programs import PROGRAM
from tests.sample_runs import SAMPLES


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    copytree(SAMPLES / "runs", "runs")
    copyfile(SAMPLES / "grades/assessor-a.qrels", "qrels")
    return tmp_path


@pytest.fixture(scope="module")
def nodes():
    if find_spec("ray") is None:
        pytest.skip("ray is not installed: pip install 'judge_tui[cluster]'")
    from tests.benchmarks.cluster_row import two_nodes

    with two_nodes() as found:
        yield found


def as_program(*words, **variables):
    """In a process of its own: Ray leaves threads behind."""
    env = {**os.environ, **variables}
    done = subprocess.run([PROGRAM, *words], check=False, capture_output=True, text=True, env=env)
    return done.returncode, done.stdout, done.stderr


def test_a_node_that_does_not_see_what_a_url_names(files, nodes):
    by_url = ("file://~/runs/bm25.run", "file://~/runs/dense.run")
    words = ("score", "qrels", *by_url, "--cluster", nodes.address)
    code, printed, said = as_program(*words, HOME=str(files))
    assert (code, printed) == (2, "")
    assert f"does not see {by_url[0]} as it is here" in said


def test_a_cluster_gives_the_same_bytes_and_a_lost_node_changes_nothing(files, nodes):
    there = ("--cluster", nodes.address)
    for words in (
        ("score", "qrels", "runs", "-q", "-f", "json"),
        ("compare", "qrels", "runs", "-f", "csv"),
    ):
        assert as_program(*words, *there) == as_program(*words)
    faulty = files / "runs/faulty.run"
    faulty.write_text("q1 Q0 a 1 high faulty\n")
    code, _, said = as_program("score", "qrels", "runs", *there)
    assert (code, said) == as_program("score", "qrels", "runs")[::2]
    assert said.startswith("error: runs/faulty.run:1:")
    faulty.unlink()
    nodes.kill_one()
    words = ("score", "qrels", "runs", "-q", "-f", "json")
    assert as_program(*words, *there) == as_program(*words)


def test_nobody_listens_there(files):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
        said = refused("score", "qrels", "runs", "--cluster", address)
    assert said.startswith(f"no Ray cluster answers at {address}")


@contextmanager
def listener(answer, context=None):
    """The address of somebody who says this to whom connects first, by TLS with a `context`."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            line, _ = server.accept()
            with (
                suppress(OSError),
                context.wrap_socket(line, True) if context else line as speaking,
            ):
                speaking.recv(100)
                speaking.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"ray://127.0.0.1:{server.getsockname()[1]}"
        thread.join()


WEB = b"HTTP/1.1 400 Bad Request\r\n\r\n"
GRPC = bytes(3) + b"\4" + bytes(5)
"""A frame of settings, with none in it (RFC 9113, 6.5)."""


def test_something_else_listens_there(files):
    with listener(WEB) as address:
        said = refused("compare", "qrels", "runs", "--cluster", address)
    assert said.startswith(f"no Ray cluster answers at {address}: something else listens there")


@pytest.fixture
def by_tls(tmp_path, monkeypatch):
    """What a node of a cluster speaks that has TLS; Ray itself is not there."""
    if which("openssl") is None:
        pytest.skip("there is no openssl to make a certificate")
    certificate, key = str(tmp_path / "node.pem"), str(tmp_path / "node.key")
    how = ("-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=node", "-out", certificate)
    made = ["openssl", "req", *how, "-keyout", key]
    subprocess.run(made, check=True, capture_output=True)
    variables = {"CA_CERT": certificate, "SERVER_CERT": certificate, "SERVER_KEY": key}
    for name, value in variables.items():
        monkeypatch.setenv(f"RAY_TLS_{name}", value)
    monkeypatch.setenv("RAY_USE_TLS", "1")
    monkeypatch.setitem(sys.modules, "ray", None)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=certificate)
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_cert_chain(certificate, key)
    return context


def test_a_cluster_that_speaks_tls_is_known_as_one(files, by_tls):
    with listener(GRPC, by_tls) as address:
        assert refused("score", "qrels", "runs", "--cluster", address).startswith("--cluster needs")
    with listener(WEB, by_tls) as address:
        assert "something else listens" in refused("score", "qrels", "runs", "--cluster", address)
    with listener(WEB) as address:
        said = refused("score", "qrels", "runs", "--cluster", address)
    assert said.startswith(f"no Ray cluster answers at {address}")


def test_a_cluster_that_speaks_tls_wants_certificates(files, by_tls, monkeypatch):
    monkeypatch.delenv("RAY_TLS_SERVER_KEY")
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        said = refused("score", "qrels", "runs", "--cluster", address)
    assert said.startswith("RAY_USE_TLS is set, and RAY_TLS_SERVER_KEY is not")


def test_ray_is_not_installed(files, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    said = refused("score", "qrels", "runs", "--cluster", "local")
    assert said.startswith("--cluster needs Ray; pip install 'judge_tui[cluster]'")


@pytest.mark.parametrize(
    ("words", "beginning"),
    [
        (("--jobs", "2"), "--jobs are of this machine"),
        (("--unjudged", "expected"), "answers, orders and unjudged expected need the runs whole"),
    ],
)
def test_what_a_cluster_has_no_use_for(files, words, beginning):
    assert refused("score", "qrels", "runs", "--cluster", "local", *words).startswith(beginning)


def test_values_that_were_measured_elsewhere_need_no_cluster(files):
    (files / "values.csv").write_text("query_id,a,b\nq1,1,2\n")
    said = refused("compare", "--values", "values.csv", "--cluster", "local")
    assert said.startswith("--cluster has no use with --values")
