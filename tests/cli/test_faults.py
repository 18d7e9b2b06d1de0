"""Tournaments on four workers while workers are killed or the server is stopped: games and table equal those of an
undisturbed run. A short test does few runs; $KROW_TEST_KILL_RUNS and $KROW_TEST_STOP_RUNS set their number."""
import os
import random
import signal
import socket
import time

from disturbed import LEASE, Disturbed, runs
from krowtest import SANITIZED, main

KILLS = 6 if SANITIZED else 16


class Killed(Disturbed):
    def freeze(self, worker):
        """Freezes a worker until others have claimed its units. A worker frozen during a transaction keeps them longer."""
        worker.send_signal(signal.SIGSTOP)
        end = time.monotonic() + 5 * LEASE
        while self.holds(worker) and time.monotonic() < end:
            time.sleep(0.02)
        worker.send_signal(signal.SIGCONT)

    def run_once(self, chance):
        process = self.ask()
        workers = [self.worker() for _ in range(4)]
        gone = []
        shares = sorted(chance.uniform(0.02, 0.9) for _ in range(KILLS))
        frozen = chance.randrange(KILLS)
        for i, share in enumerate(shares):
            self.wait_for_share(share)
            time.sleep(chance.random() * 0.05)
            place = chance.randrange(4)
            if i == frozen:
                self.freeze(workers[place])
                continue
            workers[place].kill()
            gone.append(workers[place])
            workers[place] = self.worker()
        self.check_all(process)
        self.report(f"{len(gone)} workers killed, one frozen", self.dismiss(workers + gone))
        for worker in gone:
            self.assertEqual(worker.returncode, -signal.SIGKILL)


class Stopped(Disturbed):
    def run_once(self, chance):
        """Simulates a power failure of the server, twice during the job."""
        process = self.ask()
        workers = [self.worker() for _ in range(4)]
        shares = sorted(chance.uniform(0.1, 0.8) for _ in range(2))
        for share, how in zip(shares, (signal.SIGQUIT, signal.SIGKILL)):
            self.wait_for_share(share)
            self.cluster.stop(how)
            time.sleep(chance.random() * 2)
            self.cluster.start()
        self.check_all(process)
        said = self.dismiss(workers)
        self.report("the server stopped twice", said)
        self.assertIn("trying again", said)


class Gone(Disturbed):
    """A server that is away for long is not besieged: pauses between tries grow. Only a long test has the time."""
    SECONDS, MOST = 40, 24  # with pauses that grow from half a second, the main thread and the slot try 8 times each

    def knocks(self):
        """Counts the attempts to connect to the stopped server within some time."""
        count = 0
        path = self.cluster.folder + "/.s.PGSQL.5432"
        if os.path.exists(path):
            os.unlink(path)
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(path)
            door.listen(100)
            end = time.monotonic() + self.SECONDS
            while (left := end - time.monotonic()) > 0:
                door.settimeout(left)
                try:
                    door.accept()[0].close()
                    count += 1
                except TimeoutError:
                    break
        os.unlink(path)
        return count

    def run_once(self):
        process = self.ask()
        worker = self.worker()
        self.wait_for_share(0.1)
        process.send_signal(signal.SIGSTOP)
        self.cluster.stop(signal.SIGQUIT)
        try:
            count = self.knocks()
        finally:
            self.cluster.start()
            process.send_signal(signal.SIGCONT)
        self.check_all(process)
        self.report(f"{count} tries in {self.SECONDS} s", self.dismiss([worker]))
        self.assertGreater(count, 4)
        self.assertLess(count, self.MOST)


def add_runs(case, variable):
    """A test for each run, with random numbers of its own."""
    for number in range(1, runs(variable) + 1):
        def test(self, seed=number):
            self.run_once(random.Random(seed))
        setattr(case, f"test_run_{number:02}", test)


add_runs(Killed, "KROW_TEST_KILL_RUNS")
add_runs(Stopped, "KROW_TEST_STOP_RUNS")
if runs("KROW_TEST_STOP_RUNS") > 1:
    Gone.test_pauses_grow = Gone.run_once

if __name__ == "__main__":
    main()
