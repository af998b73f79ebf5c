import { QueryClient } from "@tanstack/react-query";
import { createTRPCClient, httpLink } from "@trpc/client";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { describe, expect, test } from "vitest";
import type { ApprovalView } from "@/lib/engine/approvals/approval-view";
import { computeTransitionDigest } from "@/lib/engine/ledger/transition";
import { toCanonicalJson } from "@/lib/json";
import { sealView } from "@/components/approvals/sealed-view";
import type { AppRouter } from "@/server/trpc/root";
import { sendDecision, type Asked } from "./send-decision";
import { NOT_SENT, type Outcome } from "./waiting-decision";

const hash = "a".repeat(64);
const ID = "00000000-0000-4000-8000-000000000003";
const TRANSITION = {
  workspace: "00000000-0000-4000-8000-000000000001",
  run: "00000000-0000-4000-8000-000000000002",
  graph_hash: hash,
  policy_hash: hash,
  node: "write_change",
  proposal_digest: hash,
  reads: [],
  overwrites: [],
  effect: null,
};
const TEXT = toCanonicalJson(TRANSITION);
const VIEW: ApprovalView = {
  v: 1,
  approval_id: ID,
  transition_digest: computeTransitionDigest(TRANSITION),
  graph_hash: hash,
  policy_hash: hash,
  node: "approve_change",
  reason: "approval_node",
  prompt: "Shall it?",
  summary: "Move cus_1001 to team",
  signals: [],
  effect: "Calls update_plan on customers once.",
  authority: "No authority change.",
  lines: [],
  expires_at: 1,
};

type Details = {
  readonly view: ApprovalView;
  readonly transition: string;
  readonly canDecide: { readonly ok: true } | { readonly ok: false; readonly code: string; readonly reason: string };
};

const DETAILS: Details = { view: VIEW, transition: TEXT, canDecide: { ok: true } };
const ASKED: Asked = {
  approvalId: ID,
  choice: "approve",
  viewDigest: sealView(VIEW, TEXT).viewDigest,
  reason: " because ",
  findings: null,
  answers: null,
  viewing: { open_ms: 9_000, opened: 0, unopened: 0 },
};

type Server = {
  readonly details?: Details;
  readonly unreachable?: "get" | "decide";
};

const send = async ({ details = DETAILS, unreachable }: Server, isTooLate = () => false): Promise<[Outcome, readonly unknown[]]> => {
  const decided: unknown[] = [];
  const answer = async (url: string, body: unknown): Promise<Response> => {
    const isDecision = url.includes("approvals.decide");
    if (unreachable === (isDecision ? "decide" : "get")) throw new TypeError("Failed to fetch");
    if (isDecision) decided.push(JSON.parse(String(body)));

    return Response.json({ result: { data: isDecision ? { seq: 7 } : { ...details, gate: { nonce: "n" } } } });
  };
  const queries = new QueryClient();
  const client = createTRPCClient<AppRouter>({
    links: [
      httpLink({ url: "http://server.test", fetch: (url, init) => answer(url instanceof Request ? url.url : String(url), init?.body) }),
    ],
  });
  const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient: queries });

  return [await sendDecision({ trpc, client, queries }, ASKED, isTooLate), decided];
};

describe("sendDecision", () => {
  test("sends the decision for the view that was on screen", async () => {
    expect(await send({})).toEqual([
      { ok: true, seq: 7 },
      [
        {
          approvalId: ID,
          transitionDigest: VIEW.transition_digest,
          viewDigest: ASKED.viewDigest,
          decision: "approve",
          nonce: "n",
          reason: "because",
          viewing: { open_ms: 9_000, opened: 0, unopened: 0 },
        },
      ],
    ]);
  });

  test.each<[string, Details, string]>([
    ["the view has changed since", { ...DETAILS, view: { ...VIEW, effect: "Calls delete_all on customers once." } }, "view_mismatch"],
    [
      "the transition's bytes are another's",
      { ...DETAILS, transition: toCanonicalJson({ ...TRANSITION, node: "other" }) },
      "transition_mismatch",
    ],
    [
      "the person may not decide any more",
      { ...DETAILS, canDecide: { ok: false, code: "approval_closed", reason: "It is closed." } },
      "approval_closed",
    ],
  ])("sends nothing when %s", async (_name, details, code) => {
    expect(await send({ details })).toMatchObject([{ ok: false, code }, []]);
  });

  test("sends nothing when the time is over before the server answers", async () => {
    expect(await send({}, () => true)).toEqual([NOT_SENT, []]);
  });

  test("sends nothing when the server is unreachable", async () => {
    expect(await send({ unreachable: "get" })).toEqual([NOT_SENT, []]);
  });

  test("says that a decision without a response may have been recorded", async () => {
    const [outcome, decided] = await send({ unreachable: "decide" });
    expect([outcome.ok, decided]).toEqual([false, []]);
    expect(outcome).toHaveProperty("message", "The server didn't respond. Reload the request to see whether your decision was recorded.");
  });
});
