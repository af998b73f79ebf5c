import { expect, test } from "vitest";
import { readBearer } from "@/server/outside/token-form";

test("reads the same credential however the header is written", () => {
  const ways = ["Bearer cs_abc", "bearer cs_abc", "BEARER   cs_abc", " Bearer cs_abc "];
  expect(new Set(ways.map(readBearer))).toEqual(new Set(["cs_abc"]));
  expect([null, "", "cs_abc", "Basic cs_abc", "Bearer a b"].map(readBearer)).toEqual([null, null, null, null, null]);
});
