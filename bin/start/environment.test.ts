import { afterEach, expect, test, vi } from "vitest";
import { pickEnv } from "./environment.ts";

afterEach(() => vi.unstubAllEnvs());

test("a child gets ordinary variables and its own, never empty ones", () => {
  vi.stubEnv("PATH", "/bin");
  vi.stubEnv("TZ", "");
  vi.stubEnv("OIDC_ISSUER", "https://login.example");
  vi.stubEnv("OIDC_CLIENT_ID", "");
  vi.stubEnv("OPENAI_API_KEY", "sk-0");

  const env = pickEnv(/^OIDC_\w+$/u);

  expect(env).toMatchObject({ PATH: "/bin", OIDC_ISSUER: "https://login.example" });
  for (const name of ["TZ", "OIDC_CLIENT_ID", "OPENAI_API_KEY"]) expect(env).not.toHaveProperty(name);
});
