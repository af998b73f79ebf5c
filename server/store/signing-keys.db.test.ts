import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { listPublicKeys, registerPublicKey } from "@/server/store/signing-keys";
import { testDatabase } from "@/server/testing/database";

await testDatabase("runner");

test("runners that start at the same moment make the same key known, and none of them fails", async () => {
  for (let round = 0; round < 5; round += 1) {
    const kid = randomUUID();
    await Promise.all(Array.from({ length: 10 }, () => registerPublicKey(kid, "the key")));
    expect((await listPublicKeys())[kid]).toBe("the key");
  }
});
