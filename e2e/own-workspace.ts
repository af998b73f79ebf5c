/** Not a demo. */
import type { Page } from "@playwright/test";
import { e2eOrigin, setupLink } from "./home.ts";
import { leavePages, sendSignIn } from "./people.ts";
import { mutate } from "./wire.ts";

type OwnRole = "admin" | "builder" | "reviewer";

export const PASSWORD = "tides keep no secrets";

const emailOf = (role: OwnRole): string => `${role}@harborpoint.example`;

/** Signs out first; leaves no page open. */
export const signInAsOwn = async (page: Page, role: OwnRole): Promise<void> => {
  await leavePages(page);
  await sendSignIn(page, e2eOrigin(), { provider: "password", email: emailOf(role), password: PASSWORD });
};

/** A worker has one installation, whose set-up link works once. */
let isFounded = false;

/** Signs in as its admin. */
export const foundOwnWorkspace = async (page: Page): Promise<void> => {
  if (isFounded) return signInAsOwn(page, "admin");
  await leavePages(page);
  const token = new URL(setupLink()).searchParams.get("token");
  const admin = { name: "Ada Marsh", email: emailOf("admin"), password: PASSWORD };
  await mutate(page, "setup.createAdmin", { ...admin, workspaceName: "Harbor Point", token });
  await signInAsOwn(page, "admin");
  await addPerson(page, emailOf("builder"), "builder", "Ben Marsh");
  await addPerson(page, emailOf("reviewer"), "reviewer", "Rita Marsh");
  await signInAsOwn(page, "admin");
  isFounded = true;
};

/** Invites and joins. @param page of an admin */
export const addPerson = async (page: Page, email: string, role: Exclude<OwnRole, "admin">, name: string): Promise<void> => {
  const { token } = await mutate<{ token: string }>(page, "people.invite", { email, role, auditor: false });
  await mutate(page, "join.accept", { token, name, password: PASSWORD });
};

export const signInBy = (page: Page, email: string): Promise<void> =>
  sendSignIn(page, e2eOrigin(), { provider: "password", email, password: PASSWORD });
