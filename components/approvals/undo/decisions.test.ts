import { describe, expect, test } from "vitest";
import { createDecisions, type Send } from "./decisions";
import { LATE_MS, NOT_SENT, SEND_MS, secondsLeft, UNDO_MS, type Outcome } from "./waiting-decision";

const COMMITTED: Outcome = { ok: true, seq: 7 };
const REFUSED: Outcome = { ok: false, code: "approval_stale", message: "Something has changed.", requestId: "r-1" };

const bench = (outcomes: Readonly<Record<string, Outcome>> = {}, sendingMs = 0) => {
  let nowMs = 1_000;
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  const asked: string[] = [];
  const decisions = createDecisions({
    now: () => nowMs,
    after: (ms, run) => {
      const timer = { at: nowMs + ms, run };
      timers.push(timer);

      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
  });
  const send: Send = async (approvalId) => {
    asked.push(approvalId);
    nowMs += sendingMs;

    return outcomes[approvalId] ?? COMMITTED;
  };
  const begin = (id: string, ...parts: string[]) =>
    decisions.begin(
      {
        id,
        choice: "approve",
        title: id,
        href: `/${id}`,
        reason: "because",
        parts: parts.map((part) => ({ approvalId: part, title: part })),
      },
      send,
    );
  const pass = async (ms: number) => {
    const until = nowMs + ms;
    for (let next = timers.find(({ at }) => at <= until); next; next = timers.find(({ at }) => at <= until)) {
      const due = next;
      timers = timers.filter((one) => one !== due);
      nowMs = Math.max(nowMs, due.at);
      due.run();
    }
    nowMs = until;
    // Answers need a few turns of the event loop.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  };
  const only = () => decisions.all()[0];
  /** The machine sleeps, or the tab is frozen. */
  const sleep = (ms: number) => {
    nowMs += ms;
  };
  /** Timers ignore changes of the clock. */
  const fire = () => {
    for (const timer of timers.splice(0)) timer.run();

    return pass(0);
  };

  return { decisions, begin, pass, sleep, fire, asked, only, now: () => nowMs };
};

describe("a pending decision", () => {
  test("is sent once, after the countdown", async () => {
    const { begin, pass, asked, only, now } = bench();
    begin("a", "a");
    expect(only() && secondsLeft(only()!, now())).toBe(5);
    await pass(UNDO_MS - 1);
    expect([asked, only()?.phase]).toEqual([[], "counting"]);
    await pass(1);
    await pass(UNDO_MS);
    expect([asked, only()?.phase, only()?.parts[0]?.outcome]).toEqual([["a"], "settled", COMMITTED]);
  });

  test("is never sent after an undo", async () => {
    const { decisions, begin, pass, asked, only } = bench();
    begin("a", "a");
    await pass(UNDO_MS - 1);
    decisions.undo("a");
    decisions.hurry("a");
    await pass(1);
    expect([asked, only()?.phase]).toEqual([[], "undone"]);
  });

  test("can't be undone while it is being sent", async () => {
    const { decisions, begin, pass, only } = bench();
    begin("a", "a");
    await pass(1_000);
    decisions.hurry("a");
    decisions.undo("a");
    expect(only()?.phase).toBe("sending");
    await pass(0);
    expect(only()?.phase).toBe("settled");
  });

  test("is sent early on request, but not by a double press", async () => {
    const { decisions, begin, pass, asked } = bench();
    begin("a", "a");
    decisions.hurry("a");
    await pass(300);
    expect(asked).toEqual([]);
    await pass(100);
    decisions.hurry("a");
    decisions.hurry("a");
    await pass(UNDO_MS);
    expect(asked).toEqual(["a"]);
  });

  test("has the full countdown again after an undo", async () => {
    const { decisions, begin, pass, asked } = bench();
    begin("a", "a");
    await pass(4_000);
    decisions.undo("a");
    begin("a", "a");
    await pass(4_999);
    expect(asked).toEqual([]);
    await pass(1);
    expect(asked).toEqual(["a"]);
  });

  test("ignores repeated confirmations", async () => {
    const { begin, pass, asked } = bench();
    begin("a", "a");
    await pass(2_000);
    begin("a", "a");
    await pass(3_000);
    begin("a", "a");
    await pass(0);
    expect(asked).toEqual(["a"]);
  });
});

describe("a decision that missed its time", () => {
  test("is not sent after the machine slept, and keeps its reason", async () => {
    const { decisions, begin, pass, sleep, asked, only } = bench();
    begin("a", "a");
    sleep(UNDO_MS + LATE_MS + 1);
    await pass(0);
    decisions.hurry("a");
    await pass(60_000);
    expect([asked, only()?.phase, only()?.parts[0]?.outcome, only()?.reason]).toEqual([[], "settled", NOT_SENT, "because"]);
  });

  test("is not sent on request either", async () => {
    const { decisions, begin, sleep, pass, asked, only } = bench();
    begin("a", "a");
    sleep(3_600_000);
    decisions.hurry("a");
    await pass(0);
    expect([asked, only()?.parts[0]?.outcome]).toEqual([[], NOT_SENT]);
  });

  test("is sent by a slightly late timer", async () => {
    const { begin, pass, sleep, asked } = bench();
    begin("a", "a");
    sleep(UNDO_MS + LATE_MS);
    await pass(0);
    expect(asked).toEqual(["a"]);
  });

  test("is not sent after the clock was set back", async () => {
    const { begin, sleep, fire, asked, only } = bench();
    begin("a", "a");
    sleep(UNDO_MS - 3_600_000);
    await fire();
    expect([asked, only()?.parts[0]?.outcome]).toEqual([[], NOT_SENT]);
  });

  test("can be confirmed again with the full countdown", async () => {
    const { begin, pass, sleep, asked } = bench();
    begin("a", "a");
    sleep(60_000);
    await pass(0);
    begin("a", "a");
    await pass(UNDO_MS - 1);
    expect(asked).toEqual([]);
    await pass(1);
    expect(asked).toEqual(["a"]);
  });

  test("in a batch is not sent after the others took too long", async () => {
    const parts = Array.from({ length: 8 }, (_, index) => `p${index}`);
    const { begin, pass, asked, only } = bench({}, SEND_MS);
    begin("all", ...parts);
    await pass(UNDO_MS);
    expect(asked.length).toBeLessThan(parts.length);
    expect(
      only()
        ?.parts.filter(({ outcome }) => outcome === NOT_SENT)
        .map(({ approvalId }) => approvalId),
    ).toEqual(parts.filter((part) => !asked.includes(part)));
  });
});

describe("a batch", () => {
  const parts = ["p1", "p2", "p3", "p4", "p5", "p6"];

  test("sends each part once, and reports each outcome", async () => {
    const { begin, pass, asked, only } = bench({ p2: REFUSED });
    begin("all", ...parts);
    await pass(UNDO_MS);
    expect(asked.toSorted()).toEqual(parts);
    expect(only()?.parts.map(({ outcome }) => outcome)).toEqual(parts.map((part) => (part === "p2" ? REFUSED : COMMITTED)));
    expect(only()?.phase).toBe("settled");
  });

  test("is undone as a whole", async () => {
    const { decisions, begin, pass, asked } = bench();
    begin("all", ...parts);
    decisions.undo("all");
    await pass(60_000);
    expect(asked).toEqual([]);
  });
});

describe("a decision without a page", () => {
  test("stays listed until dismissed if it failed, and for a while if it succeeded", async () => {
    const { decisions, begin, pass } = bench({ bad: REFUSED });
    begin("good", "good");
    begin("bad", "bad");
    await pass(UNDO_MS);
    expect(decisions.all().map(({ id }) => id)).toEqual(["good", "bad"]);
    await pass(60_000);
    expect(decisions.all().map(({ id, reason }) => [id, reason])).toEqual([["bad", "because"]]);
    decisions.forget("bad");
    expect(decisions.all()).toEqual([]);
  });

  test("is kept while a page shows it, and removed with the page once settled", async () => {
    const { decisions, begin, pass } = bench();
    const hide = decisions.show("a");
    begin("a", "a");
    await pass(60_000);
    expect(decisions.all()).toHaveLength(1);
    hide();
    expect(decisions.all()).toEqual([]);
  });

  test("continues after its page was left", async () => {
    const { decisions, begin, pass, asked } = bench();
    const hide = decisions.show("a");
    begin("a", "a");
    hide();
    expect(decisions.isShown("a")).toBe(false);
    await pass(UNDO_MS);
    expect(asked).toEqual(["a"]);
  });
});
