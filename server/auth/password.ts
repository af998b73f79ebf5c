import { hash, verify } from "@node-rs/argon2";

// OWASP: 19 MiB, two passes, about 100 ms. `2` is Argon2id.
const OPTIONS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const hashPassword = (password: string): Promise<string> => hash(password, OPTIONS);

let decoy: Promise<string> | null = null;

/** Takes equally long without a hash, so that timing reveals no accounts. */
export const checkPassword = async (stored: string | null, password: string): Promise<boolean> => {
  decoy ??= hashPassword("no account has this password");
  const isMatch = await verify(stored ?? (await decoy), password);

  return stored !== null && isMatch;
};
