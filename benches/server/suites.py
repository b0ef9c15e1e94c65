"""Suites to measure, made of the cases in benches/suites: each `@` is the number of the case."""
import json
import pathlib

CASES = pathlib.Path(__file__).resolve().parent.parent / "suites"

# hints     each case has one hint
# clean     no finding
# distinct  no finding, and no two patterns are equal
# broken    like distinct, with the ids in descending order and a misspelt key in every 50th case
KINDS = ("hints", "clean", "distinct", "broken")


def suite(kind, count):
    """The text of a suite with that many cases."""
    def case(number):
        if kind != "broken":
            return cases[kind].replace("@", str(number))
        return cases["broken" if number % 50 == 7 else "distinct"].replace("@", str(count - number))

    cases = {kind: (CASES / f"{kind}.json").read_text().rstrip("\n") for kind in KINDS}
    return '{\n  "name": "brief",\n  "version": "0.2.0",\n  "cases": [\n' + ",\n".join(map(case, range(count))) + "\n  ]\n}\n"


def replayed(folder, count):
    """Writes a suite with that many cases into a folder, and an answer for each. Every second case passes."""
    (folder / "brief.evals.json").write_text(suite("clean", count))
    answers = folder / "transcripts/brief.evals"
    answers.mkdir(parents=True)
    good = "\n".join(["Signals: 14 pull requests merged into main.", "Conflicts: none was raised in #planning.",
                      "Advice: ship it.", "reviews open: 3", "without an answer: 12", "unconfirmed: the date"])
    telemetry = [{"source": "tool.add_widget", "event": event, "data": {"success": True}} for event in ("start", "result")]
    for number in range(count):
        response = good if number % 2 == 0 else good.replace("reviews open", "reviews")
        transcript = {"format": "eval-ls/transcript@1", "case": f"BRIEF-{number}", "response": response, "telemetry": telemetry}
        (answers / f"BRIEF-{number}.json").write_text(json.dumps(transcript))
