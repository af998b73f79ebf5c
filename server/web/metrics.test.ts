import { describe, expect, it } from "vitest";
import { observeProcedure } from "@/server/metrics";
import { respondMetrics } from "@/server/web/metrics";

const TOKEN = "a-token-of-this-test-alone";

describe("the web process's metrics", () => {
  it("are disabled without a configured token", async () => {
    for (const header of [null, "Bearer ", "Bearer undefined", `Bearer ${TOKEN}`]) {
      expect((await respondMetrics(header, undefined)).status).toBe(404);
    }
  });

  it("need the whole token, and are uncacheable", async () => {
    for (const header of [null, "", TOKEN, `Basic ${TOKEN}`, `Bearer ${TOKEN} `, `Bearer ${TOKEN.slice(0, -1)}`]) {
      const denied = await respondMetrics(header, TOKEN);
      expect(denied.status).toBe(401);
      expect(denied.headers.get("cache-control")).toBe("private, no-store");
      expect(await denied.text()).not.toContain("countersign_");
    }
    observeProcedure("runs.list", "ok", 0.02);
    observeProcedure("runs.list", "forbidden", 0.001);
    const answer = await respondMetrics(`Bearer ${TOKEN}`, TOKEN);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    const text = await answer.text();
    expect(text).toContain('countersign_procedure_seconds_count{procedure="runs.list",code="ok"} 1\n');
    expect(text).toContain('countersign_procedure_seconds_count{procedure="runs.list",code="forbidden"} 1\n');
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(text).not.toContain("countersign_steps_total");
  });
});
