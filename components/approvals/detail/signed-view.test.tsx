import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { toVisibleText } from "@/components/values/visible-text";
import type { ApprovalView, ViewLine } from "@/lib/engine/approvals/approval-view";
import { formatAbsoluteTime } from "@/lib/format";
import { toCanonicalJson, type Json } from "@/lib/json";
import { listLeaves } from "@/lib/leaves";
import { SeeingContext } from "@/components/approvals/seeing/seeing-context";
import { Countdown } from "@/components/approvals/countdown";
import { GATE_REASON_TEXT } from "@/components/approvals/gate-reasons";
import { sealView } from "@/components/approvals/sealed-view";
import { ViewLines } from "@/components/approvals/view-lines";
import { Heading } from "./heading";
import { describeSource } from "./origin-text";
import { Signals } from "./signals";
import { SignedBytes } from "./signed-bytes";
import { formatValue } from "./value-text";

const hash = (digit: string) => digit.repeat(64);
const PEOPLE = { "00000000-0000-4000-8000-00000000000a": "Ada" };

const line = (change: Partial<ViewLine>): ViewLine => ({
  path: "mail.send.to",
  op: "call",
  before: null,
  after: null,
  changed: true,
  integrity: "untrusted",
  confidentiality: "internal",
  provenance: ["mcp:customers/lookup", "user:00000000-0000-4000-8000-00000000000a"],
  ...change,
});

const shown = (value: Json, text?: string) =>
  text === undefined ? ({ hidden: false, value } as const) : ({ hidden: false, value, texts: { "[]": text } } as const);

const VIEW: ApprovalView = {
  v: 1,
  approval_id: "00000000-0000-4000-8000-000000000003",
  transition_digest: hash("a"),
  graph_hash: hash("b"),
  policy_hash: hash("c"),
  node: "approve_change",
  reason: "approval_node",
  prompt: "Shall this be sent?\u202e",
  summary: "Send: to \u202eeve",
  signals: [{ code: "lookalike", risk: "high", text: "to has characters that look like others." }],
  effect: "Calls send on mail once, with exactly the arguments below.",
  authority: "Irreversible: mail.send cannot be undone.",
  lines: [
    line({ after: shown(["eve\u200b@evil.example", "b@c.example"]) }),
    line({ path: "mail.send.text", after: shown(`<b>${"long ".repeat(4_000)}</b>`) }),
    line({ path: "mail.send.options", after: shown({ retries: 3, deep: { a: [null, true, { b: 0.5 }] }, none: {}, empty: [] }) }),
    line({ path: "mail.send.many", after: shown(Array.from({ length: 60 }, (_, index) => `item ${index}`)) }),
    line({ path: "mail.send.plan", before: shown("starter"), after: shown("team") }),
    line({ path: "mail.send.credit_cents", before: shown(0, "$0.00"), after: shown(1_000_000, "$10,000.00") }),
    line({ path: "mail.send.fee_cents", before: shown("500", "$5.00"), after: shown(500, "$5.00") }),
    line({ path: "mail.send.argument 5", after: { hidden: true }, confidentiality: "secret", integrity: "trusted" }),
    line({ path: "plan", op: "set", before: shown({ a: 1, b: "x" }), after: shown({ a: 2, c: "y" }), integrity: "reviewed" }),
    line({ path: "same", op: "set", before: shown("kept"), after: shown("kept"), changed: false, provenance: [] }),
    line({ path: "card", op: "set", before: { hidden: true }, after: { hidden: true }, changed: false, confidentiality: "pii" }),
    line({ path: "salary", op: "set", before: null, after: { hidden: true }, confidentiality: "pii" }),
    line({
      path: "question 1",
      op: "ask",
      after: shown({ message: "Your\u200b <b>centre</b>?", fields: [{ name: "centre", required: true, kind: "text", max_length: 9 }] }),
      changed: false,
    }),
    line({ path: "request", op: "show", before: shown("as asked"), after: shown("as asked"), changed: false }),
  ],
  expires_at: Date.UTC(2026, 10, 22, 12),
  needs: {
    quorum: 2,
    demands: [{ groups: ["Finance"], people: [], count: 1 }],
    rules: ["Changes need a person of Finance."],
  },
};

/** Page text without markup. */
const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/gu, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");

const sealed = sealView(VIEW, "{}");
const page = renderToStaticMarkup(
  <>
    <Heading view={sealed.view} graphName="Desk" nodeTitle="Approve" />
    <Signals signals={sealed.view.signals} runId="00000000-0000-4000-8000-000000000004" />
    <Countdown until={sealed.view.expires_at} />
    <ViewLines view={sealed.view} people={PEOPLE} />
  </>,
);
const bytes = renderToStaticMarkup(<SignedBytes sealed={sealed} transitionText="{}" />);
const linesOf = (lines: readonly ViewLine[], isRaw = false): string =>
  renderToStaticMarkup(
    <SeeingContext value={{ see: () => undefined, isRaw, toggleRaw: () => undefined }}>
      <ViewLines view={{ ...sealed.view, lines }} people={PEOPLE} />
    </SeeingContext>,
  );
const lineHtml = (index: number, isRaw = true) => linesOf(sealed.view.lines.slice(index, index + 1), isRaw);

/** A new member of the view compiles only with a place. */
const PLACES = {
  v: () => [bytes, `view format ${VIEW.v}`],
  approval_id: () => [bytes, VIEW.approval_id],
  transition_digest: () => [bytes, VIEW.transition_digest.slice(0, 8)],
  graph_hash: () => [bytes, VIEW.graph_hash.slice(0, 8)],
  policy_hash: () => [bytes, VIEW.policy_hash.slice(0, 8)],
  node: () => [bytes, VIEW.node],
  reason: () => [page, GATE_REASON_TEXT.approval_node],
  prompt: () => [page, toVisibleText(VIEW.prompt)],
  summary: () => [page, toVisibleText(VIEW.summary ?? "")],
  signals: () => [page, VIEW.signals[0]?.text ?? ""],
  effect: () => [page, VIEW.effect],
  authority: () => [page, VIEW.authority],
  expires_at: () => [page, formatAbsoluteTime(VIEW.expires_at)],
  needs: () => [page, "Workspace rule: Changes need a person of Finance."],
  lines: () => [page, "Exact arguments that will be sent"],
} as const satisfies Record<keyof ApprovalView, () => readonly [string, string]>;

const valuesOf = ({ before, after, op }: ViewLine): Json[] =>
  [op === "set" || op === "call" ? before : null, after]
    .flatMap((value) => (value === null || value.hidden ? [] : listLeaves(value.value)))
    .map(({ value }) => value);

const LINE_WORDS = {
  path: ({ path }) => [toVisibleText(path)],
  op: ({ op }) => ({ call: ["send"], set: [], show: ["current"], ask: ["asks"] })[op],
  before: ({ before }) => (before?.hidden ? ["hidden from your role"] : []),
  after: ({ after }) => (after?.hidden ? ["hidden from your role"] : []),
  changed: ({ op, changed }) => (op === "set" ? [changed ? "changed" : "unchanged"] : []),
  integrity: ({ integrity }) => [{ trusted: "clean", reviewed: "reviewed", untrusted: "tainted" }[integrity]],
  confidentiality: ({ confidentiality }) => [confidentiality],
  provenance: ({ provenance }) => provenance.map((source) => describeSource(source, PEOPLE)),
} as const satisfies Record<keyof ViewLine, (of: ViewLine) => readonly string[]>;

describe("the page of a view", () => {
  test.each(Object.entries(PLACES))("shows its %s", (_, place) => {
    const [html, text] = place();
    expect(textOf(html)).toContain(text);
  });

  test.each(VIEW.lines.map((each, index) => [each.path, each, index] as const))("shows all of the line %s", (_, each, index) => {
    const text = textOf(lineHtml(index));
    for (const words of Object.values(LINE_WORDS)) for (const word of words(each)) expect(text.toLowerCase()).toContain(word.toLowerCase());
    for (const value of valuesOf(each)) expect(text).toContain(formatValue(value).text);
  });

  test("shows values as the schema formats them, unless that hides a difference", () => {
    const at = (path: string) => VIEW.lines.findIndex((each) => each.path === path);
    const [credit, fee] = [textOf(lineHtml(at("mail.send.credit_cents"), false)), textOf(lineHtml(at("mail.send.fee_cents"), false))];
    expect(credit).toMatch(/\$0\.00.*→.*\$10,000\.00/u);
    expect(credit).not.toContain("1000000");
    expect(fee).toMatch(/"500".*→.*500/u);
    expect(fee).not.toContain("$5.00");
  });

  test("says that a value before is unknown only where the run read no such record", () => {
    const plan = line({ path: "mail.send.plan", before: shown("starter"), after: shown("team") });
    const note = line({ path: "mail.send.note", after: shown("x") });
    expect(textOf(linesOf([note]))).toMatch(/unknown.*→/u);
    expect(textOf(linesOf([plan, note]))).toMatch(/—.*→/u);
  });

  test("escapes untrusted text, writes out invisible characters and marks steering values", () => {
    expect(page).not.toContain("<b>");
    expect(page).not.toMatch(/[\u200b\u202e]/u);
    expect(textOf(lineHtml(0))).toContain("eve⟨U+200B⟩@evil.example");
    expect(textOf(lineHtml(0))).toContain("1 invisible character written out");
    expect(textOf(lineHtml(0))).toContain("Untrusted value chooses the recipient");
    expect(textOf(lineHtml(1))).toContain("Show all 20,007 characters");
  });

  test("shows only that a value is hidden and whether it changes", () => {
    const longer = VIEW.lines.find(({ path }) => path === "card") as ViewLine;
    const text = textOf(renderToStaticMarkup(<ViewLines view={{ ...VIEW, lines: [longer] }} people={PEOPLE} />));
    expect(text).toContain("hidden from your role");
    expect(text).toContain("unchanged");
    expect(text).not.toMatch(/characters|bytes/u);
  });

  test("contains the canonical bytes of the view", () => {
    expect(textOf(bytes)).toContain(toVisibleText(toCanonicalJson(VIEW)));
    expect(textOf(bytes)).toContain(sealed.viewDigest.slice(0, 8));
  });
});
