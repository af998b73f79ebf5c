import { describe, expect, it } from "vitest";
import { createErrorOutput } from "./error-output";

const outputOf = (chunks: readonly (string | Buffer)[], secrets: readonly string[] = []): string => {
  const output = createErrorOutput(secrets);
  for (const chunk of chunks) output.push(Buffer.from(chunk));

  return output.text();
};

describe("the end of an error output", () => {
  it("joins chunks that end within a character", () => {
    const bytes = Buffer.from("größer 😀");
    expect(outputOf([...bytes].map((byte) => Buffer.from([byte])))).toBe("größer 😀");
  });

  it("has at most 8 kB, cut between characters", () => {
    const text = outputOf(["😀".repeat(5_000), "a"]);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8_192);
    expect(text).toMatch(/^(?:😀)+a$/u);
  });

  it("has at most 50 lines", () => {
    const lines = Array.from({ length: 80 }, (_, index) => `line ${index}`);
    expect(outputOf([lines.join("\n")]).split("\n")).toEqual(lines.slice(30));
  });

  it("has no part of a secret that the buffer cut in two", () => {
    // 65,536 characters end with 131 of it; redacted, all fits in 8 kB.
    const secret = Array.from({ length: 125 }, (_, index) => String(index + 1_000)).join("");
    const chunks = [secret.repeat(400)];
    expect(outputOf(chunks, [])).toContain(secret.slice(-36));
    expect(outputOf(chunks, [secret])).not.toContain(secret.slice(-8));
  });

  it("has no line of a secret of several lines", () => {
    const secret = "-----BEGIN KEY-----\nMIIEvQIBADANBgkq\n-----END KEY-----";
    expect(outputOf([`> ${secret.split("\n").join("\n> ")}`], [secret])).toBe("> [redacted]\n> [redacted]\n> [redacted]");
  });
});
