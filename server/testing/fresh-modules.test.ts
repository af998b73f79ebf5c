/** Unit tests of lib share its modules. */
import fs from "node:fs";
import { expect, test } from "vitest";

const STATE = /^(?:export )?(?:let |const [a-z]\w*(?:: [^=]+)? = new (?:Map|Set|WeakMap|WeakSet)(?:<.*>)?\(\);)/mu;

test("modules of lib keep caches only", () => {
  const files = fs.globSync("lib/**/*.ts").filter((file) => !file.endsWith(".test.ts"));
  expect(files.filter((file) => STATE.test(fs.readFileSync(file, "utf8"))).toSorted()).toEqual([
    "lib/engine/frame.ts",
    "lib/engine/ledger/ed25519.ts",
    "lib/engine/ledger/stored-record.ts",
    "lib/engine/testing/run.ts",
    "lib/graph/bundle.ts",
    "lib/graph/condition.ts",
    "lib/graph/facts/children.ts",
    "lib/graph/path.ts",
    "lib/json.ts",
    "lib/notifications/schedule.ts",
    "lib/sanitize/phrases.ts",
    "lib/secrets/find.ts",
  ]);
});
