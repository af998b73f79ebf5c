import { describe, expect, test } from "vitest";
import {
  actOf,
  keepArmed,
  readArrival,
  arrive,
  BY_KEY,
  feel,
  look,
  lookAway,
  LOOKED_MS,
  canCommit,
  SETTLED_MS,
  show,
  explainNotArming,
  type Act,
  type Presence,
} from "./arming";

const POINTER: Act = { means: "pointer", isRepeat: false };
const HELD: Act = { means: "key", isRepeat: true };
const ONE = { id: "one", path: "/approvals/one" };
const TWO = { id: "two", path: "/approvals/two" };

const opened = (arrival: "own" | "foreign" = "own"): Presence => show(look(arrive(arrival), 0), ONE, 0);

const arms = (presence: Presence, nowMs: number, act: Act = BY_KEY): boolean => explainNotArming(presence, act, nowMs) === null;

describe("a key", () => {
  test("arms only after two seconds in front and a sign of a person", () => {
    const touched = feel(opened(), "sign");
    expect(arms(touched, LOOKED_MS - 1)).toBe(false);
    expect(arms(touched, LOOKED_MS)).toBe(true);
    expect(arms(opened(), LOOKED_MS)).toBe(false);
    expect(arms(feel(opened(), "press"), LOOKED_MS)).toBe(true);
  });

  test("arms nothing while the page is in the background", () => {
    expect(arms(feel(show(arrive("own"), ONE, 0), "press"), 60_000)).toBe(false);
  });

  test("requires two seconds and a sign again after another window closes", () => {
    const back = look(lookAway(feel(opened(), "press")), 10_000);
    expect(arms(back, 60_000)).toBe(false);
    expect(arms(feel(back, "sign"), 10_000 + LOOKED_MS - 1)).toBe(false);
    expect(arms(feel(back, "sign"), 10_000 + LOOKED_MS)).toBe(true);
  });

  test("restarts the two seconds for each request on screen", () => {
    const next = show(feel(opened(), "sign"), TWO, 5_000);
    expect(arms(next, 5_000 + LOOKED_MS - 1)).toBe(false);
    expect(arms(next, 5_000 + LOOKED_MS)).toBe(true);
    expect(show(next, TWO, 6_000)).toBe(next);
  });

  test("arms and commits nothing while held down", () => {
    const ready = feel(opened(), "press");
    expect(explainNotArming(ready, HELD, 60_000)).toBe("");
    expect(canCommit(ready, 0, HELD, 60_000)).toBe(false);
  });

  test("commits nothing within half a second of arming or refocusing", () => {
    const ready = feel(opened(), "sign");
    expect(canCommit(ready, 3_000, BY_KEY, 3_000 + SETTLED_MS - 1)).toBe(false);
    expect(canCommit(ready, 3_000, BY_KEY, 3_000 + SETTLED_MS)).toBe(true);
    const back = look(lookAway(ready), 9_000);
    expect(canCommit(back, 3_000, BY_KEY, 9_000 + SETTLED_MS - 1)).toBe(false);
    expect(canCommit(back, 3_000, BY_KEY, 9_000 + SETTLED_MS)).toBe(true);
    expect(canCommit(lookAway(ready), 3_000, BY_KEY, 60_000)).toBe(false);
  });
});

describe("on a page that another site opened", () => {
  test("arms by pointer only", () => {
    const touched = feel(opened("foreign"), "sign");
    expect(arms(touched, 60_000)).toBe(false);
    expect(arms(touched, 0, POINTER)).toBe(true);
    expect(arms(feel(touched, "press"), LOOKED_MS)).toBe(true);
  });

  test("keeps a press when the pointer moves", () => {
    expect(arms(feel(feel(opened("foreign"), "press"), "sign"), LOOKED_MS)).toBe(true);
  });

  test("accepts keys after navigating to another own page by Tab, with a new sign", () => {
    expect(arms(feel(show(opened("foreign"), TWO, 5_000), "sign"), 60_000)).toBe(false);
    const chosen = show(feel(opened("foreign"), "sign"), TWO, 5_000);
    expect(arms(chosen, 60_000)).toBe(false);
    expect(arms(feel(chosen, "sign"), 5_000 + LOOKED_MS)).toBe(true);
  });

  test("treats another request on the same page as the same page", () => {
    expect(arms(feel(show(feel(opened("foreign"), "sign"), { ...TWO, path: ONE.path }, 5_000), "sign"), 60_000)).toBe(false);
  });
});

test("counts a click without a pointer as a key", () => {
  expect([actOf({ detail: 0 }), actOf({ detail: 1 })]).toEqual([BY_KEY, POINTER]);
});

test("binds the armed choice to one view", () => {
  const armed = { choice: "approve", view: "a", atMs: 0 };
  expect([keepArmed(armed, "a"), keepArmed(armed, "b"), keepArmed(null, "a")]).toEqual([armed, null, null]);
});

describe("readArrival", () => {
  const origin = "https://us.example.com";
  const plain = { site: null, origin, referrer: "", isTraversal: false };

  test.each([
    ["typed or from a bookmark", { site: "none" }],
    ["a page of ours", { site: "same-origin", referrer: `${origin}/approvals` }],
    ["a page of ours, in a browser that says less", { referrer: `${origin}/approvals` }],
  ])("returns own for %s", (_name, said) => {
    expect(readArrival({ ...plain, ...said })).toBe("own");
  });

  test.each([
    ["another site", { site: "cross-site", referrer: "https://evil.example/" }],
    ["another site that says nothing of itself", { site: "cross-site" }],
    ["another port or subdomain", { site: "same-site" }],
    ["another origin, whatever the header says", { site: "none", referrer: "https://evil.example/" }],
    ["an unknown site", {}],
    ["an unknown value", { site: "elsewhere" }],
    ["a referrer that is none", { site: "none", referrer: "not an address" }],
    ["a page that went back to it", { site: "same-origin", isTraversal: true }],
  ])("returns foreign for %s", (_name, said) => {
    expect(readArrival({ ...plain, ...said })).toBe("foreign");
  });
});
