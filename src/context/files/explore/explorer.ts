/** Describes contents, in this thread or in a worker. It never fails: unknown content gets a plain description. */
export interface Explorer {
  describe(content: Uint8Array, about: ContentAbout): Promise<string>;
}

export interface ContentAbout {
  readonly name: string | null;
  readonly mime: string | null;
}
