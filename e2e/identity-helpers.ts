import type { Page } from "@playwright/test";

export const enterAt = async (page: Page, login: string): Promise<void> => {
  await page.getByPlaceholder("Enter any login").fill(login);
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
};

/** Encodings in which a secret could appear. */
export const spellings = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString("hex"),
  Buffer.from(secret).toString("base64").slice(2, -4),
  Array.from(secret).toReversed().join(""),
];
