"""krow verify; the proof format compared with a second implementation based on docs/proofs.md."""
import json
import os
import subprocess

import proofs
from krowtest import KROW, KrowTest, main

CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fuzz", "corpus", "proof")


class Verify(KrowTest):
    def verify(self, file, *options, status=0):
        """Files are bytes, unlike the input of other commands."""
        path = self.path("proof")
        with open(path, "wb") as out:
            out.write(file)
        return self.krow("verify", path, *options, status=status)

    def facts(self, file):
        value = json.loads(self.verify(file, "--json")[0])
        self.assertTrue(value["ok"])
        self.assertIsNone(value["error"])
        self.assertEqual(value["bytes"], len(file))
        self.assertEqual(value["positions"], sum(claim["positions"] for claim in value["claims"]))
        self.assertEqual(value["depth"], max(claim["depth"] for claim in value["claims"]))
        return value, [(c["claim"], c["answers"], c["positions"], c["depth"]) for c in value["claims"]]

    def test_proofs_of_another_program(self):
        for text, claims, value in [
            ("3x3:k=3", ["first does not lose", "second does not lose"], "draw"),
            ("3x3:k=3", ["second does not lose"], None),
            ("3x3:k=2", ["first wins"], "first"),
            ("1x1:k=1", ["first wins"], "first"),
            ("2x3:k=3,gravity", ["second does not lose", "first does not lose"], "draw"),
            ("4x2:k=3,p=2,q=1", ["first does not lose"], None),
            ("3x2:k=3,p=3,q=1,exact", ["second wins"], "second"),
            ("5x2:k=2,p=2,q=2,exact", ["first wins"], "first"),
        ]:
            with self.subTest(game=text, claims=claims):
                file = proofs.write(proofs.Game(text), claims)
                reported, facts = self.facts(file)
                self.assertEqual(reported["game"], text)
                self.assertEqual(reported["value"], value)
                self.assertEqual(facts, proofs.check(file))

    def test_whole_turns(self):
        """Version 2, which needs fewer answers where turns have several stones."""
        for text, claim in [
            ("4x2:k=3,p=2,q=1", "first does not lose"),
            ("3x2:k=3,p=3,q=1,exact", "second wins"),
            ("4x3:k=3,p=2,q=1", "first wins"),
            ("3x3:k=3", "second does not lose"),
        ]:
            with self.subTest(game=text):
                game = proofs.Game(text)
                file = proofs.write(game, [claim], version=2)
                self.assertEqual(self.facts(file)[1], proofs.check(file))
                before = proofs.check(proofs.write(game, [claim]))
                (self.assertLess if game.p > 1 else self.assertLessEqual)(len(file), len(proofs.write(game, [claim])))
                self.assertLessEqual(proofs.check(file)[0][1], before[0][1])
        err = self.verify(proofs.write(proofs.Game("2x3:k=3,gravity"), ["first does not lose"], version=2), status=2)[1]
        self.assertIn("version 2 of proofs is for games without gravity", err)

    def test_another_program_checks_ours(self):
        """draw-4x4 and pairing-4x1 among the inputs of the fuzzer are files that krow accepts."""
        for name in "draw-3x3", "turns-4x2", "win-5x2", "pairing-4x1", "draw-4x4":
            with self.subTest(name=name), open(os.path.join(CORPUS, name), "rb") as file:
                content = file.read()
                self.assertEqual(self.facts(content)[1], proofs.check(content))

    def test_text(self):
        file = proofs.write(proofs.Game("3x3:k=3"), ["first does not lose", "second does not lose"])
        out, err = self.verify(file)
        self.assertEqual(out.splitlines()[0], "3x3:k=3, from the empty board")
        self.assertRegex(out, r"(?m)^first does not lose: proved\. \d+ answers, \d+ positions, the longest line has 9 stones$")
        self.assertIn("The value is a draw.", out)
        self.assertIn(f"{len(file)} bytes", out)
        self.assertRegex(err, r"^\d+\.\d\d s\n$")
        self.assertEqual(self.verify(file, "--quiet"), (out, ""))

    def test_standard_input(self):
        file = proofs.write(proofs.Game("3x3:k=2"), ["first wins"])
        result = subprocess.run([KROW, "verify", "-q", "-"], input=file, capture_output=True, check=False, timeout=60)
        self.assertEqual(result.returncode, 0)
        self.assertIn(b"first wins: proved", result.stdout)

    def test_refusals(self):
        game = proofs.Game("3x3:k=3")
        good = proofs.write(game, ["first does not lose"])
        body = proofs.split(good)[1]
        for file, words in [
            (b"", ["byte 0", "not a proof by krow"]),
            (good[:-1], [f"byte {len(good) - 1}: the file ends here", "too early"]),
            (good + b"x", ["too late"]),
            (good[:-6] + bytes([good[-6] ^ 1]) + good[-5:], ["damaged", f"to {len(good) - 1}"]),
            (good.replace(b"first", b"secon"), ["invalid claim"]),
            (proofs.wrap(game, ["first wins"], body), ["first wins: after ", "there is no answer to this"]),
            (proofs.wrap(game, ["second does not lose"], b"\1\0"), ["after b1: there is no answer to this"]),
            (proofs.wrap(game, ["first does not lose"], b"\1\4\1"), ["after b2 b1: there is no answer to this"]),
            (proofs.wrap(game, ["first does not lose"], body + b"\0"), ["more answers than there are positions"]),
        ]:
            with self.subTest(words=words):
                out, err = self.verify(file, status=2)
                self.assertEqual(out, "")
                self.assertIn("is refused: ", err)
                for word in words:
                    self.assertIn(word, err)
                reported = json.loads(self.verify(file, "--json", status=2)[0])
                self.assertFalse(reported["ok"])
                self.assertIn(reported["error"], err)
                self.assertIsNone(reported["value"])

    def test_no_file(self):
        self.refused("verify", self.path("nothing"), words="cannot read", status=1)
        self.refused("verify", words="FILE")


if __name__ == "__main__":
    main()
