import { err, ok, type Result } from "@/lib/result";
import { parseImage } from "./image";

export type ImageLaunch = {
  readonly kind: "image";
  readonly image: string;
  readonly args: readonly string[];
  readonly variables: readonly (readonly [string, string])[];
};

export const toImageLaunch = (
  text: string,
  args: readonly string[],
  variables: ImageLaunch["variables"] = [],
): Result<ImageLaunch, string> => {
  const parsed = parseImage(text);

  return parsed.ok ? ok({ kind: "image", image: parsed.value.image, args, variables }) : parsed;
};

const IGNORED = /^(?:-i|-t|-it|-ti|--interactive|--tty|--rm|--init|--read-only|--quiet|-q|--pull=.*|--name=.*|--platform=.*)$/;
const IGNORED_WITH_VALUE = new Set(["--name", "--pull", "--platform"]);

const variableOf = (text: string): readonly [string, string] => {
  const [name = "", ...rest] = text.split("=");

  return [name, rest.length === 0 ? `\${${name}}` : rest.join("=")];
};

const readRun = (args: readonly string[], variables: ImageLaunch["variables"] = []): Result<ImageLaunch, string> => {
  const [first, second, ...rest] = args;
  if (first === undefined) return err("The command names no container image.");
  const inline = /^(?:--env=|-e=?)(.+)$/s.exec(first)?.[1];
  if (inline !== undefined) return readRun(args.slice(1), [...variables, variableOf(inline)]);
  if (first === "-e" || first === "--env") return second === undefined ? readRun([]) : readRun(rest, [...variables, variableOf(second)]);
  if (IGNORED.test(first)) return readRun(args.slice(1), variables);
  if (IGNORED_WITH_VALUE.has(first)) return readRun(rest, variables);
  if (first.startsWith("-"))
    return err(
      `The container option ${first.slice(0, 40)} isn't supported: containers get no folders, networks or rights of this machine.`,
    );

  return toImageLaunch(first, args.slice(1), variables);
};

export const fromContainerEngine = (args: readonly string[]): Result<ImageLaunch, string> => {
  const rest = args[0] === "container" ? args.slice(1) : args;

  return rest[0] === "run" ? readRun(rest.slice(1)) : err("The container command isn't run IMAGE.");
};

const nameOf = (image: string): string =>
  image
    .replace(/@.*$/, "")
    .replace(/:[^/:]*$/, "")
    .replace(/^(?:docker\.io\/)?(?:library\/)?/, "");

export const isSameImage = (installed: string, imported: string): boolean =>
  imported.includes("sha256:")
    ? nameOf(installed) === nameOf(imported) && installed.slice(-64) === imported.slice(-64)
    : nameOf(installed) === nameOf(imported);
