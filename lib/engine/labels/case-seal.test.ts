import { describe, expect, it } from "vitest";
import { getCover, sealedBy } from "@/lib/engine/labels/case-seal";
import { NOTHING_SEALED, placeKey, findWithheld } from "@/lib/engine/labels/reading";
import { parseEntries } from "@/lib/engine/testing/entries";
import { STARTER, user, type TestRun } from "@/lib/engine/testing/run";
import { atExtract, atReview, fillIn, judgeNow, review, says, speak, zone } from "@/lib/engine/testing/zones";

const PEOPLE = zone({ review: review({ reviewers: [{ type: "person", role: "reviewer", count: 1 }] }) });
const TEXT = "We are three, and want the team plan.";

const sealedIn = (run: TestRun) => {
  const entries = parseEntries(run);

  return sealedBy(entries, getCover(run.published, run.state(), entries));
};

const split = (run: TestRun) => {
  const sealed = sealedIn(run);
  const all = run
    .records()
    .flatMap(({ record }) => record.writes.map(({ path }, index) => ({ path, key: placeKey({ seq: record.seq, index }) })));

  return {
    sealed: all.filter(({ key }) => sealed.has(key)).map(({ path }) => path),
    open: all.filter(({ key }) => !sealed.has(key)).map(({ path }) => path),
  };
};
const kindsOf = (paths: readonly string[]): string[] => [...new Set(paths.map((path) => path.replace(/\..*$/u, "")))].toSorted();

const readable = (run: TestRun): string => {
  const reader = { clearance: "secret", sealed: sealedIn(run) } as const;

  return JSON.stringify(
    parseEntries(run).flatMap(({ signed: { record }, values }) =>
      record.writes.flatMap(({ label }, index) =>
        findWithheld(reader, { label, from: [{ seq: record.seq, index }] }) === null ? [values[index] ?? null] : [],
      ),
    ),
  );
};

describe("while a case is open", () => {
  it("seals its subject, source and copies, but nothing trusted and older", () => {
    const run = atReview(PEOPLE);
    const { sealed, open } = split(run);
    expect(kindsOf(sealed)).toEqual(["$pending", "$result", "$thread", "form", "mail"]);
    expect(open).toEqual(expect.arrayContaining(["topic", "$goal"]));
    expect(readable(run)).not.toContain("team");
    expect(readable(run)).toContain("plans");
  });

  it("seals its source only where the node names one", () => {
    const run = atReview(zone({ review: review({ source: undefined, reviewers: [{ type: "person", role: "reviewer", count: 1 }] }) }));
    expect(split(run).sealed).toContain("form");
    expect(split(run).open).toContain("mail");
  });

  it("seals its reviewers' text", () => {
    const run = atReview(
      zone({
        review: review({
          reviewers: [
            { type: "agent", agent_id: "first" },
            { type: "agent", agent_id: "second" },
          ],
        }),
      }),
    );
    speak(run, says("approve", { comment: "Three people is what they want" }));
    expect(split(run).sealed).toEqual(expect.arrayContaining([expect.stringMatching(/^\$verdict\./u)]));
    expect(readable(run)).not.toContain("Three people");
  });

  it("seals people's text that repeats the value, and no other", () => {
    const run = atReview(PEOPLE);
    const gate = Object.keys(run.state().gates)[0] ?? "";
    run.propose(user(STARTER, "builder"), { kind: "comment", approval_id: gate, text: `Look: "${TEXT}"` });
    run.propose(user(STARTER, "builder"), { kind: "comment", approval_id: gate, text: "Please be quick." });
    expect(readable(run)).not.toContain("want the team");
    expect(readable(run)).toContain("Please be quick.");
  });
});

describe("without an open case", () => {
  it.each([
    ["before it is opened", () => atExtract(PEOPLE)],
    [
      "after it has passed",
      () => {
        const run = atReview();
        speak(run, says("approve"));

        return run;
      },
    ],
    [
      "after it was rejected",
      () => {
        const run = atReview();
        speak(run, says("reject"));
        judgeNow(run);

        return run;
      },
    ],
    [
      "after its run was cancelled",
      () => {
        const run = atReview(PEOPLE);
        run.propose(user(STARTER, "builder"), { kind: "cancel" });

        return run;
      },
    ],
  ])("clearance alone decides: %s", (_name, runOf) => {
    const run = runOf();
    expect(sealedIn(run)).toEqual(NOTHING_SEALED);
    expect(readable(run)).toContain(TEXT);
  });
});

describe("shared records", () => {
  it("are sealed by a case of any run", () => {
    const run = atReview(PEOPLE);
    const cover = getCover(run.published, run.state(), parseEntries(run));
    const prefix = parseEntries(run).filter(({ signed: { record } }) => !record.control.some(({ type }) => type === "case_opened"));
    const sealed = sealedBy(prefix, null, cover ? [cover] : []);
    const place = run.state().cells.find(({ path }) => path === "form");
    expect(place && sealed.has(placeKey(place))).toBe(true);
    expect(sealedBy(prefix, null, cover ? [{ ...cover, cells: cover.cells.map((key) => `other${key}`) }] : []).size).toBe(0);
  });
});

describe("read permission", () => {
  const from = [{ seq: 4, index: 0 }];

  it("depends on the class first and then on open cases, for any clearance", () => {
    const sealed = new Set(["4.0"]);
    expect(findWithheld({ clearance: "internal", sealed }, { label: { confidentiality: "pii" }, from })).toBe("clearance");
    expect(findWithheld({ clearance: "secret", sealed }, { label: { confidentiality: "public" }, from })).toBe("review");
    expect(
      findWithheld({ clearance: "internal", sealed }, { label: { confidentiality: "internal" }, from: [{ seq: 4, index: 1 }] }),
    ).toBeNull();
    expect(findWithheld({ clearance: "secret", sealed: NOTHING_SEALED }, { label: null, from })).toBe("clearance");
  });

  it("is denied when one of several cells is sealed", () => {
    const reader = { clearance: "secret", sealed: new Set(["9.1"]) } as const;
    expect(findWithheld(reader, { label: { confidentiality: "public" }, from: [...from, { seq: 9, index: 1 }] })).toBe("review");
  });
});

it("seals a form of short words in the conversation that wrote it", () => {
  const run = atExtract(PEOPLE);
  fillIn(run);
  expect(split(run).sealed).toEqual([]);
  expect(readable(atReview(PEOPLE, { plan: "free", seats: 1 }))).not.toContain("free");
});
