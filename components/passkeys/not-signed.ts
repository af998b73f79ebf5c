/** Thrown when the person did not sign with their passkey; the message is shown to them. */
export class NotSigned extends Error {
  constructor(why: string) {
    super(why);
    this.name = "NotSigned";
  }
}
