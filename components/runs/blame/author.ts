import { isServiceAccount } from "@/lib/engine/principal";
import type { LedgerRecord } from "@/lib/engine/ledger/record";

export type People = Readonly<Record<string, string>>;

export const withArticle = (role: string): string => `${/^[aeiou]/u.test(role) ? "an" : "a"} ${role}`;

export const describeActor = ({ principal, control }: LedgerRecord, people: People): string => {
  switch (principal.type) {
    case "user": {
      const name = Object.hasOwn(people, principal.id) ? people[principal.id] : undefined;

      return name === undefined || name === "" ? withArticle(principal.role) : name;
    }
    case "agent":
      return isServiceAccount(principal.scopes) ? "a service account" : "an outside agent";
    case "executor": {
      const called = control.find((event) => event.type === "model_called");

      return called?.type === "model_called" ? `the model ${called.usage.model}` : "the executor";
    }
    case "engine":
      return "the engine";
    case "trigger":
      return `the trigger ${principal.trigger}`;
    case "directory":
      return "the directory";
    case "wait":
      return "the holder of a wait's token";
    default:
      return principal satisfies never;
  }
};
