"""krow serve: the web board over real local connections."""
import gzip
import http.client
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest
import zlib

from krowtest import KROW, KrowTest, repeats

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from postgres import Cluster  # noqa: E402

API = "/api/v1"
WAIT = 60  # seconds until something that must happen is taken not to happen


class Server:
    """krow serve on a port of its own."""

    def __init__(self, test, *arguments, opens=False):
        self.test = test
        self.expected = 0
        self.process = subprocess.Popen([KROW, "serve", *([] if opens else ["--no-open"]), "--db", "none", *arguments], env=test.environment,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        test.addCleanup(self.end)
        self.address = re.fullmatch(r"krow is at (http://\S+)\n", self.process.stdout.readline()).group(1)
        self.port = int(re.search(r":(\d+)/", self.address).group(1))

    def end(self):
        """After every test, the server exits normally; under a leak checker, without leaks."""
        try:
            self.process.terminate()
            status = self.process.wait(WAIT)
        finally:
            self.process.kill()
            said = self.process.stderr.read()
            self.process.stdout.close()
            self.process.stderr.close()
        self.test.assertEqual(status, self.expected, said)

    def kill(self):
        self.expected = -signal.SIGKILL
        self.process.kill()
        self.process.wait(WAIT)

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(WAIT)

    def request(self, method, path, body=None, headers=None):
        """Status, headers and text of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        headers = {"Content-Type": "application/json", **(headers or {})}
        connection.request(method, path, body, {k: v for k, v in headers.items() if v is not None})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, answer.headers, text

    def ask(self, method, path, body=None, status=200):
        """An answer of the API, as JSON."""
        reported, _, text = self.request(method, API + path, json.dumps(body) if body is not None else None)
        self.test.assertEqual(reported, status, text)
        return json.loads(text) if text else None

    def session(self, **settings):
        return self.ask("POST", "/sessions", {"game": "gomoku", **settings}, 201)


class Events:
    """An event stream, read by a thread of its own."""

    def __init__(self, server, path):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=WAIT)
        self.connection.request("GET", API + path)
        self.answer = self.connection.getresponse()
        self.list = []
        self.changed = threading.Condition()
        self.ended = False
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        event = None
        try:
            while line := self.answer.readline():
                line = line.decode().rstrip("\n")
                if line.startswith("event: "):
                    event = line[7:]
                elif line.startswith("data: "):
                    with self.changed:
                        self.list.append((event, json.loads(line[6:])))
                        self.changed.notify_all()
        except (OSError, ValueError, AttributeError):
            pass
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def wait(self, event, condition=lambda data: True):
        """The first event of this kind for which the condition holds."""
        with self.changed:
            found = []

            def has():
                found[:] = [data for kind, data in self.list if kind == event and condition(data)]
                return found or self.ended
            self.changed.wait_for(has, WAIT)
        return found[0] if found else None

    def close(self):
        # The socket itself: closing the answer would wait for its end.
        try:
            self.connection.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # the server was quicker
        self.thread.join(WAIT)
        self.connection.close()


class Start(KrowTest):
    def test_ports(self):
        server = Server(self)
        self.assertGreaterEqual(server.port, 8484)
        # The next one that is free, unless a port is asked for.
        other = Server(self)
        self.assertNotEqual(other.port, server.port)
        self.refused("serve", "--no-open", "--port", str(server.port), words=["taken", "--port"], status=1)
        self.assertEqual(server.stop(signal.SIGINT), 0)
        self.assertEqual(other.stop(signal.SIGTERM), 0)

    def test_wrong_calls(self):
        self.refused("serve", "--port", "0", words="--port")
        self.refused("serve", "--port", "70000", words="--port")
        self.refused("serve", "--bind", "example.org", words="is not an address")
        self.refused("serve", "--open", "--no-open", words="cannot be combined")
        self.refused("serve", "somewhere", words="unexpected argument 'somewhere'")

    def test_ends_while_it_thinks(self):
        server = Server(self)
        state = server.session(moves="h8 i9 h9 h10 g8", sides={"second": {"kind": "agent", "agent": "engine"}}, time=60)
        events = Events(server, f"/sessions/{state['id']}/events")
        server.ask("POST", f"/sessions/{state['id']}/analysis", {"on": True})
        hint = http.client.HTTPConnection("127.0.0.1", server.port, timeout=WAIT)
        self.addCleanup(hint.close)
        hint.request("POST", f"{API}/sessions/{state['id']}/hint", "{}", {"Content-Type": "application/json"})
        self.assertIsNotNone(events.wait("thinking"))
        self.assertEqual(server.stop(), 0)
        events.close()


class Page(KrowTest):
    def setUp(self):
        super().setUp()
        self.server = Server(self)

    def test_headers(self):
        status, headers, text = self.server.request("GET", "/")
        self.assertEqual(status, 200)
        self.assertIn(b"<!doctype html>", text.lower())
        self.assertEqual(headers["Content-Type"], "text/html; charset=utf-8")
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
        self.assertNotIn("unsafe", headers["Content-Security-Policy"])
        self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
        self.assertEqual(headers["Referrer-Policy"], "no-referrer")
        self.assertEqual(headers["Cross-Origin-Opener-Policy"], "same-origin")
        self.assertEqual(headers["Cross-Origin-Resource-Policy"], "same-origin")
        self.assertEqual(headers["Cache-Control"], "no-cache")
        status, again, text = self.server.request("GET", "/", headers={"If-None-Match": headers["ETag"]})
        self.assertEqual((status, text), (304, b""))
        status, again, text = self.server.request("GET", "/", headers={"If-None-Match": '"other"'})
        self.assertEqual(status, 200)
        status, again, text = self.server.request("HEAD", "/")
        self.assertEqual((status, text, again["ETag"]), (200, b"", headers["ETag"]))
        # No script inside the page: the policy would not run it.
        _, _, text = self.server.request("GET", "/")
        self.assertNotRegex(text.decode().lower(), r"<script(?![^>]*\bsrc=)|\son\w+=|<style|\sstyle=")

    def test_answers_of_the_api_have_the_same_headers(self):
        for path, expected in (("/about", 200), ("/nothing", 404), ("/sessions/x", 404)):
            status, headers, text = self.server.request("GET", API + path)
            self.assertEqual(status, expected)
            self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
            self.assertEqual(headers["Content-Type"], "application/json")
            self.assertEqual(headers["Cache-Control"], "no-store")
            json.loads(text)

    def test_paths_lead_to_no_files(self):
        for path in ("/../etc/passwd", "/assets/../../etc/passwd", "/assets/%2e%2e/%2e%2e/etc/passwd", "/etc/passwd",
                     "/assets/", "/assets", "//", "/index.html", "/api", "/api/v1/../v1/about", "/%ff%fe"):
            status, _, text = self.server.request("GET", path)
            self.assertIn(status, (400, 404), path)
            self.assertTrue(json.loads(text)["error"])

    def test_assets_are_reached(self):
        _, headers, text = self.server.request("GET", "/")
        self.assertEqual(headers["Cache-Control"], "no-cache")
        paths = re.findall(r'(?:src|href)="(/assets/[^"]+)"', text.decode())
        # One number in all of them, which changes with the page; and one request for all styles.
        self.assertEqual(len({path.split("/")[2] for path in paths}), 1)
        self.assertEqual([path.split("/", 3)[3] for path in paths if path.endswith(".css")], ["css/all.css"])
        for path in paths:
            status, headers, _ = self.server.request("GET", path)
            self.assertEqual(status, 200, path)
            self.assertTrue(headers["ETag"])
            self.assertIn("immutable", headers["Cache-Control"])
            self.assertIsNone(headers["Content-Encoding"])

    def test_files_and_long_answers_are_compressed(self):
        wants = {"Accept-Encoding": "br, gzip"}
        _, _, page = self.server.request("GET", "/")
        for path in ("/", *re.findall(r'(?:src|href)="(/assets/[^"]+)"', page.decode()), API + "/about"):
            _, plain, text = self.server.request("GET", path)
            status, headers, packed = self.server.request("GET", path, headers=wants)
            self.assertEqual((status, headers["Content-Encoding"], headers["ETag"]), (200, "gzip", plain["ETag"]), path)
            self.assertIn("Accept-Encoding", headers["Vary"])
            self.assertLess(len(packed), len(text))
            self.assertEqual(gzip.decompress(packed), text)
        _, headers, text = self.server.request("GET", API + "/nothing", headers=wants)
        self.assertIsNone(headers["Content-Encoding"])
        self.assertTrue(json.loads(text)["error"])

    def test_event_streams_are_compressed(self):
        session = self.server.session()
        plain = self.server.ask("GET", f"/sessions/{session['id']}")
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=WAIT)
        connection.request("GET", API + f"/sessions/{session['id']}/events", headers={"Accept-Encoding": "gzip"})
        self.addCleanup(connection.close)
        answer = connection.getresponse()
        self.assertEqual(answer.headers["Content-Encoding"], "gzip")
        text, unpack = b"", zlib.decompressobj(31)
        while b"event: state" not in text or not text.endswith(b"\n\n"):
            text += unpack.decompress(answer.read1())
        self.assertEqual(json.loads(text.split(b"data: ")[1].split(b"\n")[0]), plain)


class Guarded(KrowTest):
    def test_hosts_and_origins(self):
        server = Server(self)
        own = f"127.0.0.1:{server.port}"
        about = API + "/about"
        self.assertEqual(server.request("GET", about, headers={"Host": own})[0], 200)
        self.assertEqual(server.request("GET", about, headers={"Host": f"localhost:{server.port}"})[0], 200)
        for host in ("evil.example", f"evil.example:{server.port}", "localhost.evil.example", "192.0.2.7"):
            self.assertEqual(server.request("GET", about, headers={"Host": host})[0], 403, host)
            self.assertEqual(server.request("GET", "/", headers={"Host": host})[0], 403, host)
        rules = ("POST", API + "/rules", '{"game": "gomoku"}')
        self.assertEqual(server.request(*rules, headers={"Origin": f"http://{own}"})[0], 200)
        for origin in ("http://evil.example", "null", f"https://{own}", "http://127.0.0.1:1", f"http://localhost:{server.port}"):
            self.assertEqual(server.request(*rules, headers={"Origin": origin})[0], 403, origin)
        self.assertEqual(server.request("GET", about, headers={"Sec-Fetch-Site": "cross-site"})[0], 403)
        self.assertEqual(server.request("GET", "/", headers={"Sec-Fetch-Site": "cross-site",
                                                             "Sec-Fetch-Mode": "navigate"})[0], 200)
        for kind in ("text/plain", "application/x-www-form-urlencoded", None):
            self.assertEqual(server.request(*rules, headers={"Content-Type": kind})[0], 415, kind)
        self.assertEqual(server.request("PUT", API + "/rules", "{}")[0], 405)
        # Without a Host there is no answer but a refusal.
        with socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as line:
            line.sendall(f"GET {about} HTTP/1.0\r\n\r\n".encode())
            self.assertRegex(line.recv(100), rb"HTTP/1\.[01] 40[03]")

    def test_questions_of_a_session(self):
        """A session has one question in thought and three that wait. Clients that leave take theirs with them."""
        server = Server(self)
        state = server.session()
        path = f"{API}/sessions/{state['id']}/forced"
        lines = []
        for _ in range(4):
            line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=WAIT)
            line.request("GET", path)
            lines.append(line)
        status = 200
        while status == 200:  # the four may arrive after it
            status, headers, _ = server.request("GET", path)
        self.assertEqual((status, headers["Retry-After"]), (429, "1"))
        for line in lines:
            line.close()
        while status == 429:
            status = server.request("GET", path)[0]
        self.assertEqual(status, 200)

    def test_token_of_the_browser(self):
        """The browser finds the token in a file that only the user can read, not in the arguments of a process."""
        os.mkdir(self.path("bin"))
        with open(self.path("bin/xdg-open"), "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\necho "$1" > {self.path("part")} && mv {self.path("part")} {self.path("opened")}\n')
        os.chmod(self.path("bin/xdg-open"), 0o755)
        self.environment["PATH"] = self.path("bin") + ":" + os.environ["PATH"]
        for arguments in (["--bind", "0.0.0.0", "--port", str(free_port())], ["--bind", "127.0.0.2"]):
            server = Server(self, "--open", *arguments, opens=True)
            end = time.monotonic() + WAIT
            while not os.path.exists(self.path("opened")) and time.monotonic() < end:
                time.sleep(0.01)
            with open(self.path("opened"), encoding="utf-8") as file:
                opened = file.read().strip()
            os.unlink(self.path("opened"))
            if "127.0.0.2" in arguments:
                self.assertEqual(opened, server.address)
                continue
            self.assertNotIn("token", opened)
            self.assertEqual(os.stat(opened).st_mode & 0o777, 0o600)
            with open(opened, encoding="utf-8") as file:
                self.assertIn(server.address, file.read())
            server.stop()
            self.assertFalse(os.path.exists(opened))

    def test_token(self):
        server = Server(self, "--bind", "0.0.0.0", "--port", str(free_port()))
        token = re.search(r"\?token=([0-9a-f]{32})$", server.address).group(1)
        about = API + "/about"
        for path in (about, "/assets/x.js", API + "/nothing", "/nothing"):
            self.assertEqual(server.request("GET", path)[0], 401, path)
        # The files of the page are the same for everyone; a friend's browser has no token.
        status, _, text = server.request("GET", "/")
        self.assertEqual(status, 200)
        self.assertNotIn(token, text.decode())
        self.assertEqual(server.request("POST", API + "/rules", "{}")[0], 401)
        self.assertEqual(server.request("GET", "/?token=" + "0" * 32)[0], 401)
        status, headers, _ = server.request("GET", "/?token=" + token)
        self.assertEqual((status, headers["Location"]), (303, "/"))
        cookie = headers["Set-Cookie"]
        for word in (f"krow_token={token}", "HttpOnly", "SameSite=Strict"):
            self.assertIn(word, cookie)
        self.assertEqual(server.request("GET", "/", headers={"Cookie": f"krow_token={token}"})[0], 200)
        self.assertEqual(server.request("GET", about, headers={"Cookie": f"a=b; krow_token={token}"})[0], 200)
        self.assertEqual(server.request("GET", about, headers={"Authorization": f"Bearer {token}"})[0], 200)
        self.assertEqual(server.request("GET", about, headers={"Authorization": f"Bearer {token[:-1]}"})[0], 401)
        self.assertEqual(server.request("GET", f"{about}?token={token}")[0], 401)  # the page alone takes it there
        self.assertEqual(server.request("GET", about, headers={"Cookie": f"krow_token={token}",
                                                               "Host": "evil.example"})[0], 403)

    def test_agents(self):
        server = Server(self)
        names = [agent["name"] for agent in server.ask("GET", "/about")["agents"]]
        self.assertNotIn("exec", names)
        marker = self.path("started")
        for agent in (f"exec:touch {marker}", f"book:fallback=exec:touch {marker}", f"level:thinker=exec:touch {marker}",
                      f"montecarlo:rater=book:fallback=exec:touch {marker}", "engine:weights=/etc/passwd",
                      "level:thinker=engine:weights=/etc/passwd", "perfect:fallback=engine:weights=none"):
            error = server.ask("POST", "/sessions", {"game": "gomoku", "sides": {"first": {"kind": "agent", "agent": agent}}},
                               403)
            self.assertEqual(error["field"], "first")
        self.assertFalse(os.path.exists(marker))
        for agent in ("engine:threads=64", "engine:memory=60000", "missing", "engine:bogus=1"):
            server.ask("POST", "/sessions", {"game": "gomoku", "sides": {"first": {"kind": "agent", "agent": agent}}}, 400)


class Friends(KrowTest):
    """Games between two people."""

    def invite(self, server, headers=None):
        body = json.dumps({"game": "gomoku", "side": "first", "clock": {"seconds": 300}})
        status, answer, text = server.request("POST", API + "/friends", body, headers)
        self.assertEqual(status, 201, text)
        return json.loads(text), answer["Set-Cookie"].split(";")[0]

    def join(self, server, game):
        status, answer, text = server.request("POST", f"{API}/friends/{game['id']}/join",
                                              json.dumps({"invitation": game["invitation"]}))
        self.assertEqual(status, 200, text)
        return answer["Set-Cookie"].split(";")[0]

    def play(self, server, game, seat, cell, expected=200):
        status, _, text = server.request("POST", f"{API}/friends/{game['id']}/play", json.dumps({"cell": cell}),
                                         {"Cookie": seat})
        self.assertEqual(status, expected, text)
        return json.loads(text)

    def test_a_seat_reaches_its_game_alone(self):
        server = Server(self, "--bind", "0.0.0.0", "--port", str(free_port()))
        token = re.search(r"\?token=([0-9a-f]{32})$", server.address).group(1)
        self.assertEqual(server.request("POST", API + "/friends", '{"game": "gomoku"}')[0], 401)
        game, _ = self.invite(server, {"Cookie": f"krow_token={token}"})
        other, _ = self.invite(server, {"Cookie": f"krow_token={token}"})
        seat = self.join(server, game)
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "openapi.json"), encoding="utf-8") as file:
            paths = json.load(file)["paths"]
        invited = {"/friends/{id}/look", "/friends/{id}/join"}
        seated = {"/friends/{id}" + action for action in ("", "/events", "/play", "/takeback", "/draw", "/rematch",
                                                          "/resign", "/cancel", "/export")}
        tried = 0
        for path, methods in paths.items():
            for method in methods:
                tried += 1
                if path in invited or (path in seated and method != "delete"):
                    continue
                real = path.replace("{id}", game["id"])
                self.assertEqual(server.request(method.upper(), API + real, "{}" if method == "post" else None,
                                                {"Cookie": seat})[0], 401, (method, path))
        self.assertGreater(tried, 60)
        for path in ("", "/export"):
            self.assertEqual(server.request("GET", f"{API}/friends/{game['id']}{path}", headers={"Cookie": seat})[0], 200)
            self.assertEqual(server.request("GET", f"{API}/friends/{other['id']}{path}", headers={"Cookie": seat})[0], 403)
            self.assertEqual(server.request("GET", f"{API}/friends/{game['id']}{path}")[0], 401)
        # A page of another site cannot act for the player.
        for name, value in (("Origin", "http://evil.example"), ("Host", "evil.example"), ("Sec-Fetch-Site", "cross-site"),
                            ("Content-Type", "text/plain")):
            status = server.request("POST", f"{API}/friends/{game['id']}/resign", "{}", {"Cookie": seat, name: value})[0]
            self.assertIn(status, (403, 415), name)

    def test_a_kill(self):
        port = str(free_port())
        server = Server(self, "--port", port)
        game, host = self.invite(server)
        guest = self.join(server, game)
        self.play(server, game, host, "h8")
        self.play(server, game, guest, "i9")
        server.kill()
        again = Server(self, "--port", port)
        state = self.play(again, game, host, "h9")
        self.assertEqual(state["path"], ["h8", "i9", "h9"])
        self.play(again, game, guest, "h9", 409)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


class Limits(KrowTest):
    def setUp(self):
        super().setUp()
        self.server = Server(self)

    def test_huge_bodies(self):
        for path, size in (("/rules", 70_000), ("/rules", 50_000_000), ("/sessions/x/import", 5_000_000)):
            with socket.create_connection(("127.0.0.1", self.server.port), timeout=WAIT) as line:
                line.sendall((f"POST {API}{path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                              f"Content-Length: {size}\r\n\r\n").encode())
                self.assertIn(b"413", line.recv(100), path)
        # Without a length: it is cut off.
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=WAIT) as line:
            line.sendall((f"POST {API}/rules HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                          "Transfer-Encoding: chunked\r\n\r\n").encode())
            sent = 0
            with self.assertRaises(OSError):
                while sent < 100_000_000:
                    line.sendall(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
                    sent += 0x10000
            self.assertLess(sent, 20_000_000)
        self.server.ask("GET", "/about")

    def test_wrong_bodies(self):
        for body in ("{", "[]", "null", '{"game": "gomoku", "game": "connect6"}', '{"game": "\\u0000"}', "\xff",
                     '{"game": ' + "[" * 5000, '{"game": 1e999}', '{"game": "' + "x" * 300 + '"}', "{}"):
            status, _, text = self.server.request("POST", API + "/sessions", body.encode("latin-1"))
            self.assertEqual(status, 400, body[:40])
            self.assertTrue(json.loads(text)["error"])
        error = self.server.ask("POST", "/rules", {"width": 7, "height": 6, "k": 9, "gravity": True}, 400)
        self.assertEqual(error, {"error": "k is 9, but the board is only 7 long. Choose 7 or less.", "field": "k", "line": None})

    def test_slow_clients(self):
        """A client that sends half a request and one that does not read do not block others."""
        lines = []
        for _ in range(30):
            line = socket.create_connection(("127.0.0.1", self.server.port), timeout=WAIT)
            self.addCleanup(line.close)
            line.sendall(f"POST {API}/rules HTTP/1.1\r\nHost: localhost\r\nContent-".encode())
            lines.append(line)
        state = self.server.session(game="64x64:k=64")
        deaf = socket.create_connection(("127.0.0.1", self.server.port), timeout=WAIT)
        self.addCleanup(deaf.close)
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.sendall(f"GET {API}/sessions/{state['id']}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        path = f"/sessions/{state['id']}"
        for i in range(100):
            self.server.ask("POST", path + "/play", {"cell": f"{'ab'[i % 2]}{i // 2 + 1}"})
        self.assertEqual(len(self.server.ask("GET", path)["path"]), 100)

    def test_crowd(self):
        """More connections without a request than the server has: a client with one is answered."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        for _ in range(1100):
            line = socket.create_connection(("127.0.0.1", self.server.port), timeout=WAIT)
            self.addCleanup(line.close)
            line.sendall(b"GET / HT")
        self.server.ask("GET", "/about")

    def test_many_streams(self):
        state = self.server.session()
        streams = [Events(self.server, f"/sessions/{state['id']}/events") for _ in range(40)]
        self.server.ask("POST", f"/sessions/{state['id']}/play", {"cell": "h8"})
        for stream in streams:
            self.assertEqual(stream.wait("state", lambda data: data["path"] == ["h8"])["said"], "Black played h8. White to move.")
        for stream in streams:
            stream.close()
        self.assertEqual(self.server.stop(), 0)


class Play(KrowTest):
    def setUp(self):
        super().setUp()
        self.server = Server(self)

    def test_a_game_against_an_agent(self):
        state = self.server.session(game="tictactoe", sides={"second": {"kind": "agent", "agent": "perfect"}})
        path = f"/sessions/{state['id']}"
        events = Events(self.server, path + "/events")
        self.addCleanup(events.close)
        self.assertEqual(events.wait("state")["id"], state["id"])
        while not state["over"]:
            self.assertEqual(state["turn"], "first")
            empty = next(f"{'abc'[x]}{y + 1}" for y in range(3) for x in range(3) if state["rows"][2 - y][x] == ".")
            stones = len(state["path"])
            self.server.ask("POST", path + "/play", {"cell": empty})
            state = events.wait("state", lambda data: data["over"] or len(data["path"]) == stones + 2)
        self.assertIn(state["winner"], ("second", "draw"))

    def test_reconnect(self):
        """A lost connection goes on with the same game, and the agent with its turn."""
        state = self.server.session(sides={"second": {"kind": "agent", "agent": "random"}})
        path = f"/sessions/{state['id']}"
        events = Events(self.server, path + "/events")
        events.wait("state")
        self.server.ask("POST", path + "/play", {"cell": "h8"})
        self.assertIsNotNone(events.wait("state", lambda data: len(data["path"]) == 2))
        events.close()
        again = Events(self.server, path + "/events")
        self.addCleanup(again.close)
        self.assertEqual(len(again.wait("state")["path"]), 2)
        self.server.ask("POST", path + "/play", {"cell": "a1" if self.server.ask("GET", path)["rows"][14][0] == "." else "a2"})
        self.assertIsNotNone(again.wait("state", lambda data: len(data["path"]) == 4))

    def test_analysis(self):
        state = self.server.session(game="connect4", moves="4453")
        path = f"/sessions/{state['id']}"
        events = Events(self.server, path + "/events")
        self.addCleanup(events.close)
        self.server.ask("POST", path + "/analysis", {"on": True, "lines": 2, "cells": True})
        found = events.wait("analysis", lambda data: data["final"])
        self.assertTrue(found["exact"])
        exact = self.json("solve", "connect4", "4453")
        self.assertEqual(max(found["cells"].values()), exact["score"])
        self.assertEqual(len(found["cells"]), 7)
        # It follows the game.
        self.server.ask("POST", path + "/play", {"column": 3})
        self.assertIsNotNone(events.wait("analysis", lambda data: data["node"] == 5))

    @repeats
    def test_nobody_listens(self):
        """A search without listeners ends; a client that comes back finds its result."""
        state = self.server.session(moves="h8 i9 h9 h10 g8")
        path = f"/sessions/{state['id']}"
        events = Events(self.server, path + "/events")
        self.server.ask("POST", path + "/analysis", {"on": True})
        self.assertIsNotNone(events.wait("analysis"))
        events.close()
        limit = time.monotonic() + WAIT
        while time_used(self.server.process.pid, 1) > 0.2:
            self.assertLess(time.monotonic(), limit, "it goes on thinking")
        again = Events(self.server, path + "/events")
        self.addCleanup(again.close)
        self.assertIsNotNone(again.wait("analysis"))

    def test_clock(self):
        state = self.server.session(clock={"seconds": 1, "increment": 0})
        events = Events(self.server, f"/sessions/{state['id']}/events")
        self.addCleanup(events.close)
        state = events.wait("state", lambda data: data["over"])
        self.assertEqual((state["winner"], state["reason"]), ("second", "Black ran out of time."))


def time_used(pid, seconds):
    """The share of a processor that a process used during that many seconds."""
    def ticks():
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return sum(int(word) for word in file.read().rsplit(")", 1)[1].split()[11:13])
    before = ticks()
    time.sleep(seconds)
    return (ticks() - before) / os.sysconf("SC_CLK_TCK") / seconds


class Jobs(KrowTest):
    """Jobs and workers, while the server of the database comes and goes."""

    def setUp(self):
        super().setUp()
        self.cluster = Cluster()
        self.addCleanup(self.cluster.remove)
        self.cluster.start()
        self.server = Server(self, "--db", self.cluster.where())

    def test_a_server_that_is_gone(self):
        events = Events(self.server, "/jobs/events")
        self.addCleanup(events.close)
        found = events.wait("jobs", lambda data: data["engine"] == "PostgreSQL")
        self.assertEqual((found["jobs"], found["workers"], found["error"]), ([], [], None))
        self.cluster.stop()
        lost = events.wait("jobs", lambda data: data["error"])
        self.assertRegex(lost["error"], r"The database cannot be reached \(.*\); trying again\.")
        self.assertEqual(lost["engine"], "PostgreSQL")
        reported = self.server.ask("POST", "/jobs/1/pause", {}, 503)
        self.assertIn("nothing was changed", reported["error"])
        self.assertEqual(self.server.ask("GET", "/jobs")["at"], lost["at"])
        self.cluster.start()
        self.assertIsNotNone(events.wait("jobs", lambda data: not data["error"] and data["at"] > lost["at"]))
        self.server.ask("POST", "/jobs/1/pause", {}, 404)

    def test_a_role_that_may_only_read(self):
        self.server.ask("GET", "/jobs")  # makes the tables
        self.cluster.sql("CREATE ROLE reader LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;"
                         "INSERT INTO matches (kind, game, spec, created) VALUES ('match', '3x3:k=3', '', 1);"
                         "INSERT INTO jobs (kind, match_id, state, unit, lease, created, build, title, spec, openings)"
                         " VALUES ('games', 1, 'open', 0, 1000, 1, '', '', '', '');"
                         "INSERT INTO units (job_id, first_game, games, state, failures, progress)"
                         " VALUES (1, 0, 2, 'open', 0, 0)")
        reader = Server(self, "--db", self.cluster.where(user="reader"))
        self.assertEqual(reader.ask("GET", "/jobs")["jobs"][0]["left"], 2)
        self.assertIn("permission denied", reader.ask("POST", "/jobs/1/pause", {}, 409)["error"])
        self.assertIsNone(reader.ask("GET", "/jobs")["error"])
        self.assertEqual(self.server.ask("POST", "/jobs/1/pause", {})["state"], "paused")

    def processes(self):
        """Of the server: each has a session of its own."""
        parent = self.cluster.process.pid
        with open(f"/proc/{parent}/task/{parent}/children", encoding="ascii") as file:
            return [parent, *map(int, file.read().split())]

    def test_a_server_that_hangs(self):
        """Neither a request nor the end of the program waits for ever."""
        events = Events(self.server, "/jobs/events")
        self.addCleanup(events.close)
        events.wait("jobs", lambda data: data["engine"] == "PostgreSQL")
        stopped = self.processes()
        for process in stopped:
            os.kill(process, signal.SIGSTOP)
        try:
            self.assertTrue(events.wait("jobs", lambda data: data["error"]))
            self.assertTrue(self.server.ask("POST", "/jobs/1/pause", {}, 503)["error"])
            self.assertTrue(self.server.ask("GET", "/jobs")["error"])
            self.server.session()
            self.assertEqual(self.server.stop(), 0)
        finally:
            for process in stopped:
                os.kill(process, signal.SIGCONT)


if __name__ == "__main__":
    unittest.main()
