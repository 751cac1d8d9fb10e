// Package rows is what the tables of the catalog are read and written with: transactions that audit and announce what they
// change, reads that account for their memory, lists, the forms in which columns store fields, and Table, which has all of
// it for a kind of thing that projects own.
package rows
