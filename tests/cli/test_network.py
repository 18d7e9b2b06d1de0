"""A tournament on two hosts while the network between them is cut: games and table equal those of an undisturbed run. The
hosts are network namespaces (tests/support/hosts.py). A short test does one run, the hardest; $KROW_TEST_CUT_RUNS sets
the number of runs."""
import random
import signal
import time

from disturbed import LEASE, LOST, Disturbed, runs
from krowtest import main
from postgres import Cluster
import hosts

# How the cable is cut, when (as shares of the games, random between two), for how many leases, how many of the four
# workers are on the host of the server, whether the client is on the other one, and what the connection text says about
# silence (in libpq's words, milliseconds).
CUTS = [
    {"cut": "swallow", "when": [(0.05, 0.2)], "leases": 3, "near": 1, "asks_from_afar": False,
     "silence": f"tcp_user_timeout={LEASE * 1000}"},
    {"cut": "unplug", "when": [(0.05, 0.2), (0.3, 0.6)], "leases": 0.4, "near": 1, "asks_from_afar": False, "silence": ""},
    {"cut": "swallow", "when": [(0.05, 0.3), (0.4, 0.8)], "leases": 3, "near": 0, "asks_from_afar": True, "silence": ""},
]


class Cut(Disturbed):
    @classmethod
    def make_cluster(cls):
        cls.other = hosts.Other()
        cls.addClassCleanup(cls.other.close)
        return Cluster(settings=[f"listen_addresses={hosts.FIRST}"], access=[f"host all all {hosts.NETWORK} trust"])

    def from_afar(self, silence):
        """Arguments that start a process on the second host."""
        where = f"host={hosts.FIRST} port=5432 user=krow dbname={self.name} {silence}"
        return {"preexec_fn": self.other.go, "KROW_DB": where}

    def freeze_at_work(self, workers):
        """Stops the workers of the other host while at least one has a unit and none is in a transaction, which would
        lock its unit until the server gives up the connection. A unit takes milliseconds, so a worker that held one a
        moment ago may have finished it: only what a stopped worker holds is certain."""
        sessions = f"SELECT count(*) FROM pg_stat_activity WHERE client_addr = '{hosts.SECOND}' AND "
        busy = sessions + "state = 'active' AND wait_event_type IS DISTINCT FROM 'Lock'"

        def frozen():
            for worker in workers:
                worker.send_signal(signal.SIGSTOP)
            self.wait_for(lambda: self.sql(busy) == "0", "the server does not answer the workers")
            if self.sql(sessions + "state <> 'idle'") == "0" and any(self.holds(worker) for worker in workers):
                return True
            for worker in workers:
                worker.send_signal(signal.SIGCONT)
            return False

        self.wait_for(frozen, "no worker plays on the other host")

    @staticmethod
    def loses_leases(cut):
        """Whether a worker remains beside the server, and the cut is longer than a lease."""
        return cut["near"] > 0 and cut["leases"] > 1

    def cut_once(self, cut, workers):
        self.freeze_at_work(workers)
        mend = {"swallow": self.other.deliver, "unplug": self.other.plug}[cut["cut"]]
        getattr(self.other, cut["cut"])()
        try:
            for worker in workers:
                worker.send_signal(signal.SIGCONT)
            time.sleep(cut["leases"] * LEASE)
            # The worker beside the server reassigns expired units when it has no others, however slow it is.
            if self.loses_leases(cut):
                self.wait_for(lambda: self.sql(LOST) != "0", "no lease is lost")
        finally:
            mend()

    def run_once(self, cut, chance):
        afar = self.from_afar(cut["silence"])
        process = self.ask(**(afar if cut["asks_from_afar"] else {}))
        near = [self.worker() for _ in range(cut["near"])]
        far = [self.worker(**afar) for _ in range(4 - len(near))]
        for least, most in cut["when"]:
            self.wait_for_share(chance.uniform(least, most))
            self.cut_once(cut, far)
        self.check_all(process)
        said = self.dismiss(near + far)
        self.report(f"{len(cut['when'])} cuts ({cut['cut']}) of {cut['leases'] * LEASE:g} s", said)
        if cut["silence"]:
            self.assertIn("trying again", said)


for number in range(1, runs("KROW_TEST_CUT_RUNS") + 1):
    def test(self, seed=number):
        self.run_once(CUTS[(seed - 1) % len(CUTS)], random.Random(seed))
    setattr(Cut, f"test_run_{number:02}", test)

if __name__ == "__main__":
    hosts.enter()
    main()
