import { parseArgs, type ParseArgsConfig } from "node:util";
import { CliFailure } from "./host";

export type Arguments = {
  readonly operand: string;
  readonly operands: readonly string[];
  readonly text: (name: string) => string | null;
  readonly flag: (name: string) => boolean;
  readonly list: (name: string) => readonly string[];
};

type Options = Readonly<Record<string, "string" | "boolean" | "strings">>;

export type Operands = { readonly name: string; readonly min: number; readonly max: number };

const checkOperands = (count: number, { name, min, max }: Operands): void => {
  if (count > max && max === 0) throw new CliFailure(`this command takes no arguments, but got ${count}`);
  if (count >= min && count <= max) return;
  const wanted = min === 1 && max === 1 ? `exactly one ${name}` : `${min === max ? min : `${min} to ${max}`} of ${name}`;
  throw new CliFailure(`expected ${wanted}, but got ${count}`);
};

/** Parses arguments. @param operand one; null: none @throws CliFailure */
export const parseArguments = (argv: readonly string[], operand: string | Operands | null, options: Options): Arguments => {
  const config: ParseArgsConfig["options"] = Object.fromEntries(
    Object.entries(options).map(([name, type]) => [name, type === "strings" ? { type: "string", multiple: true } : { type }]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: config, allowPositionals: true, strict: true });
    const count = operand === null ? 0 : 1;
    checkOperands(positionals.length, typeof operand === "object" && operand ? operand : { name: operand ?? "", min: count, max: count });

    return {
      operand: positionals[0] ?? "",
      operands: positionals,
      text: (name) => (typeof values[name] === "string" ? values[name] : null),
      flag: (name) => values[name] === true,
      list: (name) => {
        const given = values[name];

        return Array.isArray(given) ? given.filter((each) => typeof each === "string") : [];
      },
    };
  } catch (error) {
    if (error instanceof CliFailure) throw error;
    throw new CliFailure(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error), error);
  }
};

export const parsePair = (option: string, given: string): readonly [string, string] => {
  const at = given.indexOf("=");
  if (at < 1) throw new CliFailure(`--${option} expects NAME=VALUE, but got ${given.slice(0, 80)}`);

  return [given.slice(0, at), given.slice(at + 1)];
};
