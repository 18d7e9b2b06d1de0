#!/usr/bin/env python3
"""A private PostgreSQL server for a test: in a temporary folder, on a Unix socket that no other user can reach.

    postgres.py COMMAND [ARGUMENT…]

starts a server, runs the command with the connection string of the superuser in $KROW_TEST_POSTGRES, and stops the server,
even if the command fails. If this program is killed, the kernel signals the server to stop.

Sorting is that of English, not of bytes, so that a test notices where krow would depend on it. What is written is not flushed
to the disk: no test cuts the power.
"""
import contextlib
import ctypes
import fcntl
import glob
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PR_SET_PDEATHSIG = 1


def programs():
    """The folder with initdb and postgres; Debian keeps one for each version, outside of PATH."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda path: int(path.split("/")[4]))
    path = found[-1] if found else shutil.which("initdb")
    if path is None:
        raise SystemExit("there is no PostgreSQL server here (Debian: postgresql); tools/setup test installs it")
    return os.path.dirname(path)


def unprivileged():
    """Whom the server runs as, since it refuses to run as root: None for ourselves."""
    if os.geteuid() != 0:
        return None
    for name in ["postgres", "nobody"]:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise SystemExit("PostgreSQL refuses to run as root, and the users postgres and nobody do not exist")


def end_with_parent():
    """In the child: SIGQUIT, at which PostgreSQL ends at once, when the parent is gone."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGQUIT)


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
            return stat.read().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


class Cluster:
    """A server. `with Cluster() as cluster:` starts and ends it."""

    def __init__(self, settings=(), access=()):
        """settings: further options such as 'fsync=on'; access: lines that come first in pg_hba.conf."""
        self.bin = programs()
        self.user = unprivileged()
        base = os.environ.get("TMPDIR", "/tmp")
        # The path of a socket may have no more than 107 characters.
        self.folder = tempfile.mkdtemp(prefix="krow-pg-", dir=base if len(base) < 60 else "/tmp")
        self.data = os.path.join(self.folder, "data")
        self.settings = list(settings)
        self.process = None
        try:
            if self.user:
                os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
            self.fill()
            path = os.path.join(self.data, "pg_hba.conf")
            with open(path, encoding="utf-8") as file:
                lines = file.read()
            with open(path, "w", encoding="utf-8") as file:
                file.write("".join(line + "\n" for line in access) + lines)
        except BaseException:
            self.remove()
            raise

    def fill(self):
        """The files of a new server. Making them takes seconds, so one set is kept in $KROW_TEST_TEMPLATE, if there is such a
        folder, and copied."""
        keep = os.environ.get("KROW_TEST_TEMPLATE")
        if not keep:
            self.initialise()
            return
        with open(keep + ".lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not os.path.isdir(keep):
                self.initialise()
                shutil.copytree(self.data, keep + ".new", symlinks=True)
                os.rename(keep + ".new", keep)
                return
        shutil.copytree(keep, self.data, symlinks=True)
        if self.user:
            for folder, _, names in os.walk(self.data):
                for name in [".", *names]:
                    os.chown(os.path.join(folder, name), self.user.pw_uid, self.user.pw_gid)

    def initialise(self):
        self.run("initdb", "-D", self.data, "-U", "krow", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-instructions",
                 "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en")

    def identity(self):
        return {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}

    def run(self, program, *arguments):
        result = subprocess.run([os.path.join(self.bin, program), *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                stdin=subprocess.DEVNULL, cwd=self.folder, check=False, **self.identity())
        if result.returncode != 0:
            raise SystemExit(f"{program} failed:\n{result.stdout.decode(errors='replace')}")
        return result.stdout.decode()

    def where(self, database="postgres", user="krow"):
        """A connection text."""
        return f"host={self.folder} port=5432 user={user} dbname={database}"

    def start(self):
        settings = ["listen_addresses=", f"unix_socket_directories={self.folder}", "fsync=off", "max_connections=50",
                    "shared_buffers=32MB", "autovacuum=off", "log_min_messages=warning", *self.settings]
        command = [os.path.join(self.bin, "postgres"), "-D", self.data]
        for setting in settings:
            command += ["-c", setting]
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                                            preexec_fn=end_with_parent, start_new_session=True, **self.identity())
        for _ in range(3000):
            ready = subprocess.run([os.path.join(self.bin, "pg_isready"), "-q", "-h", self.folder], check=False)
            if ready.returncode == 0:
                return self
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        with open(os.path.join(self.folder, "log"), encoding="utf-8", errors="replace") as log:
            words = log.read()
        self.stop()
        raise SystemExit(f"PostgreSQL does not start:\n{words}")

    def sql(self, text, database="postgres"):
        """Runs SQL with psql; returns what it prints, without decoration."""
        return self.run("psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", self.where(database), "-c", text).strip()

    def parts(self):
        """The processes that the server has started."""
        pid = self.process.pid
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as children:
            return [int(child) for child in children.read().split()]

    def stop(self, how=signal.SIGQUIT):
        """SIGQUIT is an immediate stop, as when the power fails; SIGKILL kills every process of the server; SIGINT ends
        sessions; SIGTERM waits for them."""
        if self.process is not None:
            if self.process.poll() is None:
                parts = self.parts() if how == signal.SIGKILL else []
                self.process.send_signal(how)
                for part in parts:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(part, signal.SIGKILL)
                while any(map(is_running, parts)):  # a new server needs their shared memory
                    time.sleep(0.01)
            self.process.wait()
            self.process = None

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.remove()


def main():
    def end(number, _):
        sys.exit(128 + number)

    for number in [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]:
        signal.signal(number, end)
    with Cluster() as cluster:
        environment = {**os.environ, "KROW_TEST_POSTGRES": cluster.where()}
        with subprocess.Popen(sys.argv[1:], env=environment) as command:
            try:
                status = command.wait()
            except BaseException:
                command.kill()
                raise
    sys.exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
