import { expect, it } from "vitest";
import { ablate, GUARDS, MOST_ABLATED } from "./ablation";

const SEED = 1;

it.each(Object.keys(GUARDS))("notices when this is missing: %s", { timeout: 120_000 }, (guard) => {
  expect(ablate(guard, SEED, MOST_ABLATED).episodes).not.toBeNull();
});
