import { expect, it } from "vitest";
import { oneAtATime } from "@/server/store/runs/dispatch";
import { testDatabase } from "@/server/testing/database";

await testDatabase("runner");

it("a runner paused while holding the fleet lock loses it and does not block the fleet", async () => {
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const stuck = oneAtATime(() => {
    begun.resolve();

    return held.promise;
  }).then(
    () => "kept its turn",
    () => "lost its turn",
  );
  await begun.promise;
  expect(await oneAtATime(async () => "the next one's turn")).toBe("the next one's turn");
  held.resolve();
  expect(await stuck).toBe("lost its turn");
});
