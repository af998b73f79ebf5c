import { Resolver } from "node:dns/promises";
import type { ResolveTxt } from "./dkim";

const ABSENT: readonly unknown[] = ["ENOTFOUND", "ENODATA"];

export const createTxtResolver = (servers?: readonly string[]): ResolveTxt => {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  if (servers) resolver.setServers(servers);

  return async (name) => {
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(""));
    } catch (error) {
      if (error instanceof Error && ABSENT.includes(Reflect.get(error, "code"))) return [];
      throw error;
    }
  };
};
