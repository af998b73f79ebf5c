import { expect } from "@playwright/test";
import { test } from "./test.ts";

test("rejects one client's eleventh wrong password whatever address it claims", async ({ page, baseURL }) => {
  const origin = new URL(baseURL ?? "").origin;
  const { csrfToken } = (await (await page.request.get("/api/auth/csrf")).json()) as { readonly csrfToken: string };
  const answers: string[] = [];
  for (let attempt = 0; attempt < 11; attempt += 1) {
    const answer = await page.request.post("/api/auth/callback/password", {
      headers: { origin, "x-forwarded-for": `198.51.100.${attempt}` },
      form: { csrfToken, email: "guessed@example.com", password: "a wrong password", json: "true" },
    });
    const { url } = (await answer.json()) as { readonly url: string };
    answers.push(new URL(url).searchParams.get("error") ?? "");
  }

  expect(answers).toEqual([...Array.from({ length: 10 }, () => "CredentialsSignin"), "rate_limited"]);
});
