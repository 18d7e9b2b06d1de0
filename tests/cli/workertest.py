"""What tests with workers share: a private server and concurrent programs."""
import os
import re
import subprocess
import sys
import time

from krowtest import KROW, KrowTest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from postgres import Cluster  # noqa: E402

PATIENCE = 100  # seconds


class Workers(KrowTest):
    cluster = None
    databases = 0

    @classmethod
    def make_cluster(cls):
        return Cluster()

    @classmethod
    def setUpClass(cls):
        cls.cluster = cls.make_cluster()
        cls.cluster.start()
        cls.addClassCleanup(cls.cluster.remove)

    def setUp(self):
        super().setUp()
        Workers.databases += 1
        name = f"lab{Workers.databases}"
        self.cluster.sql(f"CREATE DATABASE {name}")
        self.name = name
        self.db = self.cluster.where(name)
        self.environment["KROW_DB"] = self.db
        self.sign("0123456789abcdef", "state")
        self.running = []
        self.addCleanup(self.end_all)

    def sql(self, text):
        return self.cluster.sql(text, self.name)

    def end_all(self):
        for process in self.running:
            if process.poll() is None:
                process.kill()
            process.communicate()

    def start(self, *arguments, preexec_fn=None, **variables):
        process = subprocess.Popen([KROW, *arguments], env={**self.environment, **variables}, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, preexec_fn=preexec_fn)
        self.running.append(process)
        return process

    def worker(self, *arguments, **variables):
        return self.start("worker", *arguments, **variables)

    def end(self, process, status=0):
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, status, out + err)
        return out, err

    def wait_for(self, condition, what):
        """Polls; how long it takes is not looked at, but for a test that hangs."""
        end = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.02)

    def wait_for_job(self):
        self.wait_for(lambda: self.sql("SELECT to_regclass('units') IS NOT NULL") == "t"
                      and self.sql("SELECT count(*) > 0 FROM jobs") == "t", "no job")

    def games(self, db):
        """All games as text, without their times."""
        out, _ = self.krow("export", "--db", db, "--no-times")
        return re.sub(r"(?m)^date .*\n", "", out)
