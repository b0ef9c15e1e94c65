"""A PCRE2 of the system, which no program can be linked with."""

# What pkg-config reads. A program that is linked with this library cannot be built.
DECOY = "Name: libpcre2-8\nDescription: decoy\nVersion: 10.42\nLibs: -lno-such-pcre2\n"
