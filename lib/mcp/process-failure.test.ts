import { describe, expect, it } from "vitest";
import { ERRORS } from "@/lib/errors";
import { joinLastError, splitLastError } from "./last-error";
import { failureMessage, processFailureSchema, type ProcessFailure } from "./process-failure";

const failure = (change: Partial<ProcessFailure>): ProcessFailure => ({ errno: null, exitCode: null, signal: null, output: "", ...change });

describe("how a server's process failed", () => {
  it.each([
    [{}, "."],
    [{ exitCode: 1 }, ": its process exited with code 1."],
    [{ signal: "SIGSYS" }, ": its process was ended by SIGSYS."],
    [{ errno: "ENOENT" }, ": its program could not be started (ENOENT)."],
  ])("is one sentence without the server's words: %j", (change, end) => {
    const general = ERRORS.server_unreachable.message.slice(0, -1);
    expect(failureMessage(failure({ ...change, output: "hostile" }))).toBe(`${general}${end}`);
  });

  it.each([{ output: "\u001b[2J" }, { output: "\u202e" }, { output: "x".repeat(8_193) }, { signal: "<b>" }, { errno: "please call" }])(
    "is not taken from a tool host when it is not as we would have said it: %j",
    (change) => {
      expect(processFailureSchema.safeParse(failure(change)).success).toBe(false);
    },
  );
});

describe("the stored text of the last error", () => {
  it("keeps the message on one line and the output as it is", () => {
    const stored = joinLastError({ message: "It\n\nexited.", output: "a\n\nb" });
    expect(splitLastError(stored)).toEqual({ message: "It exited.", output: "a\n\nb" });
  });

  it("is the message alone where there is no output, and for earlier rows", () => {
    expect(joinLastError({ message: "It exited.", output: "" })).toBe("It exited.");
    expect(splitLastError("It exited.")).toEqual({ message: "It exited.", output: null });
  });
});
