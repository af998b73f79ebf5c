import { err, ok, type Result } from "@/lib/result";

const SPEC =
  /^([A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?)(?:\[[A-Za-z0-9,._-]{1,100}\])?(?:(?:==|@)([0-9][0-9A-Za-z.+!_-]{0,60}|latest))?$/;

export type LooseSpec = {
  readonly name: string;
  /** Null: the newest, pinned by the operator's installation. */
  readonly version: string | null;
};

/** Compares names as PEP 503 does. */
export const normalizePythonName = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, "-");

/** Parses `name`, `name==1.2` or `name@1.2`. */
export const parsePythonSpec = (spec: string): Result<LooseSpec, string> => {
  const [, name, version] = SPEC.exec(spec) ?? [];
  if (name === undefined) return err(`${spec.slice(0, 200)} is no Python package with one version. Use name==1.2.3.`);

  return ok({ name: normalizePythonName(name), version: version === undefined || version === "latest" ? null : version });
};
