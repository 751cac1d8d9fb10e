export declare const dist: URL
export declare function initialFiles(): string[]
