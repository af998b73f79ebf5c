import { describe, expect, it } from "vitest";
import { DEFAULT_CALL_LIMITS } from "@/lib/mcp/call-limits";
import { limitsDraft, limitsText, readLimits } from "./call-limits-draft";

const draft = limitsDraft(DEFAULT_CALL_LIMITS);

describe("limits as they are typed", () => {
  it("come back as they were", () => {
    expect(readLimits(draft)).toEqual({ limits: DEFAULT_CALL_LIMITS, problems: {} });
  });

  it.each([
    ["silence", "0"],
    ["silence", ""],
    ["silence", "1e3"],
    ["total", "59"],
    ["total", "-1"],
    ["atOnce", "0"],
    ["atOnce", "65"],
    ["answer", "257"],
    ["faults", "0"],
    ["coolDown", "abc"],
  ] as const)("with %s as %j are none, and the problem stands there", (field, text) => {
    const read = readLimits({ ...draft, [field]: text });
    expect(read.limits).toBeNull();
    expect(Object.keys(read.problems)).toContain(field);
  });

  it("may have parts of a second and of a kilobyte", () => {
    expect(readLimits({ ...draft, silence: "1.5", answer: "0.25" }).limits).toMatchObject({ timeout_ms: 1_500, max_result_bytes: 256 });
  });

  it("read as one line", () => {
    expect(limitsText(DEFAULT_CALL_LIMITS)).toBe("60 s of silence, 300 s in all, 8 at once, 256 KiB; left alone for 30 s after 5 faults.");
  });
});
