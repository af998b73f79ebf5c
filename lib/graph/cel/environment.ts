import { celEnv, celFunc, CelScalar, type CelEnv } from "@bufbuild/cel";

const { INT, DOUBLE } = CelScalar;

const OPERATORS: readonly (readonly [string, (a: number, b: number) => number])[] = [
  ["_+_", (a, b) => a + b],
  ["_-_", (a, b) => a - b],
  ["_*_", (a, b) => a * b],
  ["_/_", (a, b) => a / b],
];

/** CEL refuses `2.5 + 1`, but JSON has one kind of number. */
const mixed = OPERATORS.flatMap(([name, compute]) => [
  celFunc(name, [INT, DOUBLE], DOUBLE, (a, b) => compute(Number(a), b)),
  celFunc(name, [DOUBLE, INT], DOUBLE, (a, b) => compute(a, Number(b))),
]);

export const env: CelEnv = celEnv({ funcs: mixed });
