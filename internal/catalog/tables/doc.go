// Package tables has the tools for reading and writing the catalog's tables: transactions that audit and announce their
// changes, reads that account for their memory, lists, conversions between fields and columns, and Table, which
// combines all of them for one kind of project-owned object.
package tables
