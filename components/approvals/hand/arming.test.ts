import { describe, expect, test } from "vitest";
import {
  actOf,
  armedAbout,
  arrivalOf,
  arrive,
  BY_KEY,
  feel,
  look,
  lookAway,
  LOOKED_MS,
  mayCommit,
  SETTLED_MS,
  show,
  whyNotArm,
  type Act,
  type Presence,
} from "./arming";

const POINTER: Act = { means: "pointer", isRepeat: false };
const HELD: Act = { means: "key", isRepeat: true };
const ONE = { id: "one", path: "/approvals/one" };
const TWO = { id: "two", path: "/approvals/two" };

/** A page that was opened and is in front since 0, showing one approval. */
const opened = (arrival: "own" | "foreign" = "own"): Presence => show(look(arrive(arrival), 0), ONE, 0);

const arms = (presence: Presence, nowMs: number, act: Act = BY_KEY): boolean => whyNotArm(presence, act, nowMs) === null;

describe("a key", () => {
  test("arms after two seconds in front and a sign of a person, and not before either", () => {
    const touched = feel(opened(), "sign");
    expect(arms(touched, LOOKED_MS - 1)).toBe(false);
    expect(arms(touched, LOOKED_MS)).toBe(true);
    expect(arms(opened(), LOOKED_MS)).toBe(false);
    expect(arms(feel(opened(), "press"), LOOKED_MS)).toBe(true);
  });

  test("arms nothing while the page is not in front", () => {
    expect(arms(feel(show(arrive("own"), ONE, 0), "press"), 60_000)).toBe(false);
  });

  test("arms nothing when another window closes and gives the page back, until there are two seconds and a sign again", () => {
    const back = look(lookAway(feel(opened(), "press")), 10_000);
    expect(arms(back, 60_000)).toBe(false);
    expect(arms(feel(back, "sign"), 10_000 + LOOKED_MS - 1)).toBe(false);
    expect(arms(feel(back, "sign"), 10_000 + LOOKED_MS)).toBe(true);
  });

  test("has two seconds before it for each approval that comes on screen", () => {
    const next = show(feel(opened(), "sign"), TWO, 5_000);
    expect(arms(next, 5_000 + LOOKED_MS - 1)).toBe(false);
    expect(arms(next, 5_000 + LOOKED_MS)).toBe(true);
    expect(show(next, TWO, 6_000)).toBe(next);
  });

  test("that is held down arms nothing and commits nothing", () => {
    const ready = feel(opened(), "press");
    expect(whyNotArm(ready, HELD, 60_000)).toBe("");
    expect(mayCommit(ready, 0, HELD, 60_000)).toBe(false);
  });

  test("commits nothing within half a second of arming, or of the page coming to the front", () => {
    const ready = feel(opened(), "sign");
    expect(mayCommit(ready, 3_000, BY_KEY, 3_000 + SETTLED_MS - 1)).toBe(false);
    expect(mayCommit(ready, 3_000, BY_KEY, 3_000 + SETTLED_MS)).toBe(true);
    const back = look(lookAway(ready), 9_000);
    expect(mayCommit(back, 3_000, BY_KEY, 9_000 + SETTLED_MS - 1)).toBe(false);
    expect(mayCommit(back, 3_000, BY_KEY, 9_000 + SETTLED_MS)).toBe(true);
    expect(mayCommit(lookAway(ready), 3_000, BY_KEY, 60_000)).toBe(false);
  });
});

describe("on a page that another site opened", () => {
  test("only a pointer arms", () => {
    const touched = feel(opened("foreign"), "sign");
    expect(arms(touched, 60_000)).toBe(false);
    expect(arms(touched, 0, POINTER)).toBe(true);
    expect(arms(feel(touched, "press"), LOOKED_MS)).toBe(true);
  });

  test("a pointer that moves takes nothing back of its press", () => {
    expect(arms(feel(feel(opened("foreign"), "press"), "sign"), LOOKED_MS)).toBe(true);
  });

  test("somebody without a pointer goes to another page of ours first, by Tab, and there shows again that they are here", () => {
    expect(arms(feel(show(opened("foreign"), TWO, 5_000), "sign"), 60_000)).toBe(false);
    const chosen = show(feel(opened("foreign"), "sign"), TWO, 5_000);
    expect(arms(chosen, 60_000)).toBe(false);
    expect(arms(feel(chosen, "sign"), 5_000 + LOOKED_MS)).toBe(true);
  });

  test("something else to decide about on that page is no other page", () => {
    expect(arms(feel(show(feel(opened("foreign"), "sign"), { ...TWO, path: ONE.path }, 5_000), "sign"), 60_000)).toBe(false);
  });
});

test("a click that no pointer made counts as a key", () => {
  expect([actOf({ detail: 0 }), actOf({ detail: 1 })]).toEqual([BY_KEY, POINTER]);
});

test("what is armed is armed about that view and no other", () => {
  const armed = { choice: "approve", view: "a", atMs: 0 };
  expect([armedAbout(armed, "a"), armedAbout(armed, "b"), armedAbout(null, "a")]).toEqual([armed, null, null]);
});

describe("who opened a page", () => {
  const origin = "https://us.example.com";
  const plain = { site: null, origin, referrer: "", isTraversal: false };

  test.each([
    ["typed or from a bookmark", { site: "none" }],
    ["a page of ours", { site: "same-origin", referrer: `${origin}/approvals` }],
    ["a page of ours, in a browser that says less", { referrer: `${origin}/approvals` }],
  ])("was the person or us: %s", (_name, said) => {
    expect(arrivalOf({ ...plain, ...said })).toBe("own");
  });

  test.each([
    ["another site", { site: "cross-site", referrer: "https://evil.example/" }],
    ["another site that says nothing of itself", { site: "cross-site" }],
    ["another port or subdomain", { site: "same-site" }],
    ["another origin, whatever the header says", { site: "none", referrer: "https://evil.example/" }],
    ["whoever cannot be told", {}],
    ["a word nobody knows", { site: "elsewhere" }],
    ["a referrer that is none", { site: "none", referrer: "not an address" }],
    ["a page that went back to it", { site: "same-origin", isTraversal: true }],
  ])("was somebody else: %s", (_name, said) => {
    expect(arrivalOf({ ...plain, ...said })).toBe("foreign");
  });
});
