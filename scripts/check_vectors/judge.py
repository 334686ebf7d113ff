"""Verdicts of schemas, and their steps."""

import json

from netsdk.formats.judge_error import JudgeError, Meter
from netsdk.formats.schema_judge import judge_by_schema

from .report import expect


def judge(topic):
    for case in topic["cases"]:
        schema, text = json.loads(case["schema"]), case["text"]
        meter = Meter(case.get("mostSteps", float("inf")))
        try:
            is_met, path, message = judge_by_schema(schema, text, len(text.encode("utf-8", "surrogatepass")), meter)
            found = {"isMet": is_met, "path": path, "message": message, "steps": meter.steps}
        except JudgeError as error:
            found = {"refused": error.code, "path": error.path}
        wanted = {name: case[name] for name in case if name not in ("schema", "text", "mostSteps")}
        expect(found, wanted, case["schema"], text)
