import { expect, type Page } from "@playwright/test";

type Window = typeof globalThis & { readonly passkeyCreated: () => Promise<void> };

const waitAfterCreating = (): void => {
  const { credentials } = navigator;
  const create = credentials.create.bind(credentials);
  credentials.create = async (options) => {
    const credential = await create(options);
    await (globalThis as Window).passkeyCreated();

    return credential;
  };
};

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
  const answers = async (id: string, enabled: boolean): Promise<void> => {
    await devtools.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId: id, enabled });
  };
  let newest = authenticatorId;
  await page.exposeFunction("passkeyCreated", async () => {
    if (newest === authenticatorId) return;
    await Promise.all([answers(authenticatorId, true), answers(newest, false)]);
    newest = authenticatorId;
  });
  await page.addInitScript(waitAfterCreating);

  return {
    agree: (isUserVerified: boolean) => devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
    /** For the next passkey; then the first authenticator answers again. */
    addKey: async (): Promise<void> => {
      await answers(authenticatorId, false);
      newest = await add("usb");
    },
  };
};

/** On the second step of the first sign-in. */
export const createPasskey = async (page: Page): Promise<void> => {
  await expect(page.getByRole("heading", { level: 1, name: "Create your passkey" })).toBeVisible();
  await page.getByRole("button", { name: "Create your passkey" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
};
