mod made; fn main(){}
