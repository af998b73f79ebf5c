import { expect, test } from "vitest";
import { buildApprovalView } from "@/lib/engine/approvals/approval-view";
import { getCover, sealedBy } from "@/lib/engine/labels/case-seal";
import { parseEntries } from "@/lib/engine/testing/entries";
import { decideAs, openGate, user } from "@/lib/engine/testing/run";
import { atReview, review, says, speak, zone } from "@/lib/engine/testing/zones";
import { buildDeskView } from "./desk-view";
import { listCellsToOpen, sealedTo } from "./sealed";

const PERSON = "00000000-0000-4000-8000-0000000000a1";
const OTHER = "00000000-0000-4000-8000-0000000000a2";
const reviewer = user(PERSON, "reviewer");

const atPeople = (count = 1) => {
  const run = atReview(
    zone({
      review: review({
        reviewers: [
          { type: "agent", agent_id: "first" },
          { type: "agent", agent_id: "second" },
          { type: "person", count },
        ],
        quorum: 2,
      }),
    }),
  );
  speak(run, says("approve", { comment: "secretly fine" }), 0);
  speak(run, says("reject"), 1);

  return run;
};

const sealedIn = (run: ReturnType<typeof atPeople>) => {
  const entries = parseEntries(run);

  return sealedBy(entries, getCover(run.published, run.state(), entries));
};

const deskOf = (run: ReturnType<typeof atPeople>, who = PERSON) => {
  const [gate] = Object.values(run.state().gates);
  if (!gate) throw new Error("no reviewer was asked");

  return buildDeskView(run.published, run.state(), gate, { id: who, clearance: "pii", sealed: sealedIn(run) });
};

test("a reviewer sees the number of verdicts, not their content", () => {
  const desk = deskOf(atPeople());
  expect(desk?.seats.map(({ kind, name, spoken, asked }) => [kind, name, spoken, asked])).toEqual([
    ["agent", "first", 1, 1],
    ["agent", "second", 1, 1],
    ["person", "reviewer", 0, 1],
  ]);
  expect(desk).toMatchObject({ verdicts: null, quorum: 2, target: "form", source: "mail" });
  expect(JSON.stringify(desk)).not.toMatch(/secretly fine|approve"|reject"/);
});

test("shows the form's fields and the judge's rules beside the case", () => {
  const desk = deskOf(atPeople());
  expect(desk?.fields?.map(({ name }) => name)).toEqual(["plan", "seats", "note"]);
  expect(desk?.judge?.rules.map(({ field, rule }) => [field, rule.type])).toEqual([
    ["plan", "enum"],
    ["seats", "range"],
    ["note", "length"],
  ]);
});

test("shows others' verdicts only after one's own", () => {
  const run = atPeople(2);
  decideAs(run, reviewer);
  expect(deskOf(run)?.verdicts).toMatchObject([
    { by: "agent:first", name: "first", verdict: "approve", comment: "secretly fine" },
    { by: "agent:second", verdict: "reject" },
    { by: `user:${PERSON}`, name: null, verdict: "approve" },
  ]);
  expect(deskOf(run, OTHER)?.verdicts).toBeNull();
  decideAs(run, user(OTHER, "reviewer"));
  expect(deskOf(run, "00000000-0000-4000-8000-0000000000a3")?.verdicts).toHaveLength(4);
});

test("seals others' texts per reviewer until the ledger has their opening of every cell", () => {
  const run = atPeople();
  const sealedFor = (who: string) => sealedTo(openGate(run), run.records(), who, sealedIn(run));
  const sealed = (who: string) => listCellsToOpen(run.state(), openGate(run), sealedFor(who));
  const viewFor = (who: string) => buildApprovalView(run.published, run.state(), openGate(run), "pii", sealedFor(who));
  const before = sealed(PERSON);
  expect(before.map(({ path }) => path).toSorted()).toEqual(["form", "mail"]);
  expect(viewFor(PERSON).lines.map(({ path, after }) => [path, after])).toEqual([
    ["form", { hidden: true, why: "review" }],
    ["mail", { hidden: true, why: "review" }],
  ]);
  for (const { seq, index } of before) {
    const verdict = run.propose(reviewer, { kind: "open_cell", seq, index, purpose: "review", case_id: openGate(run).gate.id });
    expect(verdict.ok).toBe(true);
  }
  expect(sealed(PERSON)).toEqual([]);
  expect(viewFor(PERSON)).toEqual(buildApprovalView(run.published, run.state(), openGate(run), "pii"));
  expect(sealed(OTHER)).toHaveLength(2);
});
