import { describe, expect, it } from "vitest";
import { createRepeatDetector } from "@/lib/engine/ledger/shared-text";

const MAIL = "Dear support,\nplease move us to the team plan before Friday, our contract number is K-20431 and only we know it.";
const FORM = { plan: "team", seats: 3, note: "see K-20431" };

describe("a repeating value", () => {
  it.each([
    ["the same text", MAIL],
    ["the text inside another text", `The mail says: ${MAIL} End.`],
    ["the text inside an object", { content: [{ type: "text", text: MAIL }] }],
    ["the text inside JSON inside a text", JSON.stringify({ text: JSON.stringify({ mail: MAIL }) })],
    ["the text in capitals and with other white space", MAIL.toUpperCase().replaceAll(" ", "\n\n")],
    ["a sentence of it", "It goes: our contract number is K-20431 and only we."],
    ["a short quotation and nothing else", "number is K-20431 and"],
    ["compatible characters", `ｏｕｒ ｃｏｎｔｒａｃｔ ｎｕｍｂｅｒ ｉｓ Ｋ－２０４３１ ａｎｄ ｏｎｌｙ`],
  ])("%s", (_name, value) => {
    expect(createRepeatDetector([MAIL])(value)).toBe(true);
  });

  it.each([
    ["compact", '{"note":"see K-20431","plan":"team","seats":3}'],
    ["indented, in an answer", `Here it is:\n${JSON.stringify({ note: "see K-20431", plan: "team", seats: 3 }, null, 2)}`],
    ["one of its texts", "They say: SEE k-20431."],
  ])("is found as an object in a text: %s", (_name, value) => {
    expect(createRepeatDetector([FORM])(value)).toBe(true);
  });

  it.each([
    ["another text", "Good morning, here is the weather report for the coming week."],
    ["a word that both have", "support"],
    ["a number", 3],
    ["nothing", null],
    ["a short text of it", { plan: "team" }],
  ])("is not found in %s", (_name, value) => {
    expect(createRepeatDetector([MAIL, FORM])(value)).toBe(false);
  });

  it("does not exist without values to repeat", () => {
    expect(createRepeatDetector([])(MAIL)).toBe(false);
    expect(createRepeatDetector([3, true, null, "team"])("team")).toBe(false);
  });

  it("is found in linear time", () => {
    const long = Array.from({ length: 40_000 }, (_, index) => `word${index}`).join(" ");
    const before = performance.now();
    expect(createRepeatDetector([long])(Array.from({ length: 40_000 }, (_, index) => `other${index}`).join(" "))).toBe(false);
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});
