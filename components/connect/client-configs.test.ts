import { expect, test } from "vitest";
import { CLIENTS, getServerName, TOKEN_VARIABLE } from "./client-configs";

const ENDPOINT = { name: "Refund desk", url: "http://localhost:3000/api/mcp/w/g" };

test("every configuration names the endpoint and the token variable, and contains no token", () => {
  for (const { config } of Object.values(CLIENTS)) {
    const { text, note } = config(ENDPOINT);
    expect(text).toContain(ENDPOINT.url);
    expect(text + note).toMatch(new RegExp(`${TOKEN_VARIABLE}|input:countersign-token`, "u"));
    expect(text).not.toMatch(/cs_[A-Za-z0-9_-]{10}/u);
  }
});

test("JSON configurations parse for any graph name", () => {
  for (const name of ["Refund desk", `"}, "x": {"`, "ä", ""]) {
    for (const id of ["claude_code", "cursor", "vs_code", "stdio"] as const) {
      expect(() => JSON.parse(CLIENTS[id].config({ ...ENDPOINT, name }).text) as unknown).not.toThrow();
    }
    expect(getServerName(name)).toMatch(/^[a-z0-9-]{1,40}$/u);
  }
});
