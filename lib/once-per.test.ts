import { expect, test } from "vitest";
import { oncePer } from "./once-per";

test("a result is made once per object, undefined too", () => {
  const made: object[] = [];
  const remember = oncePer((key: { readonly value?: number }) => {
    made.push(key);

    return key.value;
  });
  const [one, same, none] = [{ value: 1 }, { value: 1 }, {}];
  expect([remember(one), remember(one), remember(same), remember(none), remember(none)]).toEqual([1, 1, 1, undefined, undefined]);
  expect(made).toEqual([one, same, none]);
});
