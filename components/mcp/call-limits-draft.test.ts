import { describe, expect, it } from "vitest";
import { DEFAULT_CALL_LIMITS } from "@/lib/mcp/call-limits";
import { toLimitsDraft, describeLimits, readLimits } from "./call-limits-draft";

const draft = toLimitsDraft(DEFAULT_CALL_LIMITS);

describe("readLimits", () => {
  it("reads back the limits of a draft", () => {
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
  ] as const)("rejects %s = %j and reports the problem at that field", (field, text) => {
    const read = readLimits({ ...draft, [field]: text });
    expect(read.limits).toBeNull();
    expect(Object.keys(read.problems)).toContain(field);
  });

  it("accepts fractions of a second and of a kilobyte", () => {
    expect(readLimits({ ...draft, silence: "1.5", answer: "0.25" }).limits).toMatchObject({ timeout_ms: 1_500, max_result_bytes: 256 });
  });

  it("formats limits as one line", () => {
    expect(describeLimits(DEFAULT_CALL_LIMITS)).toBe(
      "Idle timeout 60 s, total timeout 300 s, 8 concurrent, 256 KiB; paused for 30 s after 5 faults.",
    );
  });
});
