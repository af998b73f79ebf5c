import { expect, test } from "vitest";
import { bearerIn } from "@/server/outside/token-form";

test("however the header is written, it shows one credential: it counts as the same, and is looked up as the same", () => {
  const ways = ["Bearer cs_abc", "bearer cs_abc", "BEARER   cs_abc", " Bearer cs_abc "];
  expect(new Set(ways.map(bearerIn))).toEqual(new Set(["cs_abc"]));
  expect([null, "", "cs_abc", "Basic cs_abc", "Bearer a b"].map(bearerIn)).toEqual([null, null, null, null, null]);
});
