export class NotSigned extends Error {
  constructor(why: string) {
    super(why);
    this.name = "NotSigned";
  }
}
