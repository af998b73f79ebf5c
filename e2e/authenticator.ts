import { expect, type Page } from "@playwright/test";

/** Verifies its user. */
export const withAuthenticator = async (page: Page) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const add = async (transport: "internal" | "usb"): Promise<string> => {
    const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport,
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });

    return authenticatorId;
  };
  const authenticatorId = await add("internal");
  const answers = (id: string, enabled: boolean) =>
    devtools.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId: id, enabled });

  return {
    agree: (isUserVerified: boolean) => devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
    /** For the next passkey; then the first authenticator answers again. */
    addKey: async (): Promise<void> => {
      await answers(authenticatorId, false);
      const key = await add("usb");
      devtools.once("WebAuthn.credentialAdded", () => {
        void Promise.all([answers(authenticatorId, true), answers(key, false)]);
      });
    },
  };
};

/** On the second step of the first sign-in. */
export const createPasskey = async (page: Page): Promise<void> => {
  await expect(page.getByRole("heading", { level: 1, name: "Create your passkey" })).toBeVisible();
  await page.getByRole("button", { name: "Create your passkey" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
};
