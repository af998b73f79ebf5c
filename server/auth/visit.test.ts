import { describe, expect, test } from "vitest";
import { maskAddress, visitOf } from "./visit";

describe("where a sign-in comes from", () => {
  test.each([
    ["203.0.113.77", "203.0.113.x"],
    ["::ffff:203.0.113.77", "203.0.113.x"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1::x"],
    ["2001:db8::1", "2001:db8::x"],
    ["fe80::1%eth0", "fe80::x"],
    ["::1", "::1"],
    ["unknown", "unknown"],
    ["<script>", "unknown"],
    ["", "unknown"],
  ])("keeps %s as %s", (address, kept) => {
    expect(maskAddress(address)).toBe(kept);
  });

  test("keeps one printable line of the user agent, at most 200 characters", () => {
    const headers = new Headers({ "x-forwarded-for": "203.0.113.7", "user-agent": `Mozilla\t/5.0 ${"x".repeat(300)}` });
    const { address, userAgent } = visitOf(headers);

    expect(address).toBe("203.0.113.x");
    expect([userAgent.length, userAgent.startsWith("Mozilla/5.0 x")]).toEqual([200, true]);
    expect(visitOf(new Headers())).toEqual({ address: "unknown", userAgent: "" });
  });
});
