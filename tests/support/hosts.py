#!/usr/bin/env python3
"""Two connected hosts on one machine: network namespaces that no other process sees.

`enter()` restarts the program as the first host; `Other()` is the second one. The namespaces have no names, so they and
their addresses disappear with their last process, even if the test is killed. Users other than root get a user namespace;
if the system forbids that too, `hosts.py` exits with status 1 and prints the reason.
"""
import ctypes
import os
import signal
import subprocess
import sys

FIRST, SECOND, NETWORK = "192.0.2.1", "192.0.2.2", "192.0.2.0/24"  # for examples and books: never assigned
NOWHERE = "02:00:00:00:00:01"  # an unassigned hardware address
CLONE_NEWNET = 0x40000000
PR_SET_PDEATHSIG = 1
INSIDE = "KROW_TEST_INSIDE"


def unshare():
    """The command that runs another one as a host of its own."""
    own_users = [] if os.geteuid() == 0 else ["--user", "--map-current-user", "--keep-caps"]
    return ["unshare", *own_users, "--net", "--"]


def ip(*words, where=None):
    # Debian keeps it where only root looks.
    path = os.environ.get("PATH", "/usr/bin:/bin") + ":/usr/sbin:/sbin"
    subprocess.run(["ip", *words], check=True, env={**os.environ, "PATH": path}, preexec_fn=where)


def enter():
    """The program goes on as the first host."""
    if os.environ.get(INSIDE) != "1":
        command = unshare() + [sys.executable, *sys.argv]
        os.execvpe(command[0], command, {**os.environ, INSIDE: "1"})


class Other:
    """The second host, and the cable."""

    def __init__(self):
        self.namespace = None
        # A process that does nothing keeps the namespace; it ends with us.
        self.keeper = subprocess.Popen(["unshare", "--net", "--", "sh", "-c", "echo ready; exec sleep infinity"],
                                       stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, preexec_fn=end_with_parent)
        if self.keeper.stdout.readline() != b"ready\n":
            raise SystemExit("a network namespace cannot be made")
        try:
            self.namespace = os.open(f"/proc/{self.keeper.pid}/ns/net", os.O_RDONLY)
            ip("link", "set", "lo", "up")
            ip("link", "add", "here", "type", "veth", "peer", "name", "there", "netns", str(self.keeper.pid))
            ip("address", "add", FIRST + "/24", "dev", "here")
            ip("link", "set", "here", "up")
            self.run("link", "set", "lo", "up")
            self.run("address", "add", SECOND + "/24", "dev", "there")
            self.run("link", "set", "there", "up")
        except BaseException:
            self.close()
            raise

    def go(self):
        """In a child before it becomes another program: it is on the second host from now on."""
        if ctypes.CDLL(None, use_errno=True).setns(self.namespace, CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "setns")

    def run(self, *words):
        ip(*words, where=self.go)

    # --- The cable ---

    def unplug(self):
        """Both sides see that there is no cable."""
        self.run("link", "set", "there", "down")

    def plug(self):
        self.run("link", "set", "there", "up")

    def swallow(self):
        """No error is visible, but nothing arrives: packets go to an unassigned hardware address."""
        ip("neighbour", "replace", SECOND, "lladdr", NOWHERE, "nud", "permanent", "dev", "here")
        self.run("neighbour", "replace", FIRST, "lladdr", NOWHERE, "nud", "permanent", "dev", "there")

    def deliver(self):
        ip("neighbour", "del", SECOND, "dev", "here")
        self.run("neighbour", "del", FIRST, "dev", "there")

    def close(self):
        self.keeper.kill()
        self.keeper.wait()
        self.keeper.stdout.close()
        if self.namespace is not None:
            os.close(self.namespace)


def end_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    try:
        enter()
        Other().close()
    except (OSError, subprocess.CalledProcessError) as fault:
        raise SystemExit(f"network namespaces cannot be made: {fault}") from fault
